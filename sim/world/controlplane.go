package world

import (
	"strconv"
	"strings"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/coordinator"
	"github.com/leaselab/leaselab/core/leasecandidate"
	"github.com/leaselab/leaselab/sim/trace"
)

// Coordinated election in the world: the API servers are nodes whose electors compete for a Lease of their own, and the
// one that leads runs the controller. A coordinated candidate's process runs a LeaseCandidate client beside its elector.
// Both see the store through informers, which lag: what they are told is a trip.

// begun starts what runs beside the elector of a process.
func (w *World) begun(i int32) {
	n := &w.nodes[i]
	n.link.Open(w.now)
	n.link.Queue = w.settings[n.settings].Server
	if !n.process.Alive {
		return
	}
	if n.kind == serverNode {
		w.servers.beginServer(w, n.number)
	}
	if n.client >= 0 {
		w.clients.beginClient(w, n.client)
	}
}

// upgrade gives a node's next start another version. A candidate then comes with another identity too, as a component
// whose identity has a random part does: a LeaseCandidate that is there already would keep its old versions.
func (c *Control) upgrade(w *World, i int32) {
	n := &w.nodes[i]
	w.emit(trace.Record{Kind: trace.SettingsChanged, Candidate: i, Run: n.process.Run, Control: c.Source})
	if n.kind == serverNode {
		w.servers.list[n.number].next = c.Binary
		return
	}
	next := w.settings[n.settings]
	next.BinaryVersion, next.EmulationVersion = c.Binary, c.Emulation
	if w.setup.Symbols.Text(c.Emulation) == "" {
		next.EmulationVersion = c.Binary
	}
	next.Identity = next.Name + "_" + w.setup.Symbols.Text(c.Binary)
	w.settings = append(w.settings, next)
	n.settings = int32(len(w.settings) - 1)
}

// renamed gives a node the identity of its settings before its process starts again.
func (w *World) renamed(i int32) {
	n := &w.nodes[i]
	settings := &w.settings[n.settings]
	if identity := w.setup.Symbols.Intern(settings.Identity); identity != n.identity {
		n.identity = identity
		w.clients.addClient(w, i, settings)
	}
}

// ended stops what runs beside the elector of a process that is gone.
func (w *World) ended(i int32) {
	if k := w.nodes[i].client; k >= 0 {
		w.clients.list[k].running = false
	}
}

// resumed hands what waited during a pause to the machines beside the elector, and arms them again.
func (w *World) resumed(i int32) {
	n := &w.nodes[i]
	if n.client >= 0 && w.clients.list[n.client].running {
		w.clients.stepClient(w, n.client, leasecandidate.Input{Kind: leasecandidate.Wake})
	}
	if n.kind == serverNode && n.process.Alive {
		w.servers.stepServer(w, n.number, coordinator.Input{Kind: coordinator.Wake})
	}
}

// reclocked arms what runs beside the elector of a node again after its clock has changed.
func (w *World) reclocked(i int32) {
	n := &w.nodes[i]
	if n.client >= 0 && w.clients.list[n.client].running {
		w.clients.armClient(w, n.client)
	}
	if n.kind == serverNode {
		w.servers.armServer(w, n.number)
	}
}

// versionNumber orders versions: major, minor and patch, 20 bits each. What stands behind a patch does not count.
func (s *Setup) versionNumber(version coordination.Symbol) int64 {
	text := s.Symbols.Text(version)
	if text == "" {
		return 0
	}
	text, _, _ = strings.Cut(text, "+")
	text, _, _ = strings.Cut(text, "-")
	number := int64(0)
	parts := strings.Split(text, ".")
	for k := range 3 {
		part := int64(0)
		if k < len(parts) {
			part, _ = strconv.ParseInt(parts[k], 10, 20)
		}
		number = number<<20 | part
	}
	return number
}

// candidateVersion is the version that a candidate emulates or has, as a number; 0 if it has none.
func (s *Setup) candidateVersion(c *Candidate) int64 {
	if c.EmulationVersion != 0 {
		return s.versionNumber(c.EmulationVersion)
	}
	return s.versionNumber(c.BinaryVersion)
}
