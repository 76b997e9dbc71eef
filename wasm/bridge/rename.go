//go:build !page

package bridge

import (
	"github.com/leaselab/leaselab/sim/compile"
	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/rename"
	"github.com/leaselab/leaselab/sim/world"
)

func init() {
	beyond = append(beyond, answers("rename", starts, (*Bridge).rename))
}

// rename lists the nodes that a scenario names, the changes that give them other names, and where the run with those
// names differs.
func (b *Bridge) rename(p *RenameParams) (*Renamed, error) {
	s, err := b.named(p.Scenario)
	if err != nil {
		return nil, err
	}
	names := make([]rename.Name, len(p.Names))
	for i, n := range p.Names {
		names[i] = rename.Name(n)
	}
	changes, err := rename.Changes(s, names)
	if err != nil {
		return nil, err
	}
	out := &Renamed{Nodes: rename.Nodes(s), Changes: []protocol.PatchEntry{}, DiffersAt: -1}
	for _, c := range changes {
		out.Changes = append(out.Changes, protocol.PatchEntry(c))
	}
	if len(changes) > 0 {
		other, err := scenario.SetAll(s, changes)
		if err != nil {
			return nil, err
		}
		out.DiffersAt = differAt(world.New(compile.Scenario(s)), world.New(compile.Scenario(other)), p.Until)
	}
	return out, nil
}

// differAt is the first instant, up to untilNs, at which two runs differ in more than names; -1 if there is none.
func differAt(one, other *world.World, untilNs int64) int64 {
	for one.Step(untilNs) {
		if !other.Step(untilNs) {
			return one.Now()
		}
		a, b := one.Records(), other.Records()
		if one.Now() != other.Now() || len(a) != len(b) {
			return min(one.Now(), other.Now())
		}
		for i := range a {
			if a[i].At != b[i].At || !a[i].SameButForNames(&b[i]) {
				return a[i].At
			}
		}
	}
	if other.Step(untilNs) {
		return other.Now()
	}
	return -1
}
