//go:build page

package apiserver

import "github.com/leaselab/leaselab/core/wire"

type preparation struct{}

func (*Request) parse(sent []byte) (*wire.Node, error) { return wire.Parse(sent) }

func (*Request) decoded(n *wire.Node, kind *wire.Type) (object, []string, error) {
	return wire.Decode(n, kind)
}
