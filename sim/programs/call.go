package programs

import (
	"github.com/leaselab/leaselab/sim/programs/conduct"
	"github.com/leaselab/leaselab/sim/programs/replay"
	"github.com/leaselab/leaselab/sim/world"
)

// `carry` passes a call to the world at the instant c.atNs and records it. The caller holds the lock. This is the only
// way into the world, so a record with every call contains the whole run.
func (c *Cluster) carry(k replay.Call) { c.carryOf(nil, k) }

// carryOf is like carry, for a call about a request. Steps is the number of the world's own steps since the previous
// call. The instant alone would not tell whether the call came before or after an event at the same instant.
func (c *Cluster) carryOf(x *exchange, k replay.Call) {
	k.AtNs, k.Steps = max(c.atNs, c.run.World.Now()), c.steps
	c.steps = 0
	if c.options.Record != nil {
		recorded := k
		c.options.Record(&recorded)
	}
	if k.Exit != nil {
		c.conduct.Hear(conduct.Fact{AtNs: k.AtNs, Node: k.Node, Exit: k.Exit})
	}
	c.run.Do(k.AtNs, func(w *world.World) { c.applyCall(w, x, &k) }, c.seeFunc())
	c.notice(c.run.World.Records())
}

// applyCall carries out a call.
func (c *Cluster) applyCall(w *world.World, x *exchange, k *replay.Call) {
	switch k.Do {
	case replay.CallRequest:
		x.number = k.Number
		c.sends(x)
	case replay.CallAbandon:
		w.Abandons(x.slot, k.Number, k.Reason())
	case replay.CallAdministers:
		w.Insert(k.Act(int32(len(c.scenario.Actions)) + c.asked))
		c.asked++
	default:
		k.Apply(w)
	}
}
