//go:build page

package world

import (
	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/core/storage"
	"github.com/leaselab/leaselab/core/wire"
)

func (API) configMapKey() string { return "" }

func addMembers(tree, _ wire.Map) wire.Map { return tree }

func (p API) fromTree(_ int32, tree wire.Map) (storage.Object, string) {
	return untree(tree, p.setup.Symbols)
}

func (API) placeConfigMap(*apiserver.Server, *apiserver.Config) {}
