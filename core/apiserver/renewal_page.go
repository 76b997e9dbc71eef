//go:build page

package apiserver

import "github.com/leaselab/leaselab/core/wire"

func (c *call) updated() Response { return c.answer(c.update()) }

func (k *kept) weight() int64 { return wire.Bytes(k.tree) }
