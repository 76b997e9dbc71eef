//go:build page

package world

import (
	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/core/storage"
	"github.com/leaselab/leaselab/core/wire"
)

func (API) configMapKey() string { return "" }

func beside(tree, _ wire.Map) wire.Map { return tree }

func (p API) untreed(_ int32, tree wire.Map) (storage.Object, string) {
	return untree(tree, p.setup.Symbols)
}

func (API) placeConfigMap(*apiserver.Server, *apiserver.Config) {}
