package compile

import (
	"fmt"

	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/world"
)

// NodeNamed returns the index of the node with a name, or -1. If several nodes have the name, it returns the newest: a
// candidate may leave, and another one with the same name may join.
func NodeNamed(w *world.World, name string) int32 {
	for i := int32(w.Nodes()) - 1; i >= 0; i-- {
		if w.Node(i).Name() == name {
			return i
		}
	}
	return -1
}

// Refusal returns why an act on a node is impossible now, or "". The page shows this sentence on a disabled button,
// so the sentence says what would help: "Restart it first." scenario.Validate checks whatever does not depend on the
// instant, for example that an act has a target.
//
// An act on everybody is always possible, because nodes that it does not fit ignore it. For an unknown word Refusal
// returns "", because Validate has the better error.
func Refusal(w *world.World, act, node string) string {
	kind := scenario.ActNamed(act)
	switch {
	case kind == nil:
		return ""
	case kind.TakesField("candidate"):
		if w.Nodes() >= scenario.MaxCandidates {
			return fmt.Sprintf("A run has at most %d candidates.", scenario.MaxCandidates)
		}
		return ""
	case node == "", node == scenario.TargetEverybody:
		return ""
	case node == scenario.TargetHolder:
		i, _, exists := w.Holder()
		if !exists || i < 0 {
			return "Nobody holds the Lease now."
		}
		node = w.Node(i).Name()
	}
	i := NodeNamed(w, node)
	if i < 0 {
		return fmt.Sprintf("The run has no node named %q now.", node)
	}
	switch {
	case kind.On == scenario.OnSending && !w.Intercepts(i) && !w.Holds(i):
		return node + " has no message under way now."
	case kind.On == scenario.OnHeld && !w.Holds(i):
		return "No message of " + node + " is held."
	}
	return stateRefusal(w.Node(i), kind.On)
}

// stateRefusal returns why the node's present state makes an act impossible. The most informative reason comes
// first: a node that has left is not "already down".
func stateRefusal(n world.Node, on scenario.On) string {
	node, role := n.Name(), n.Role()
	up, down := n.CutOff()
	running := on == scenario.OnRunning || on == scenario.OnStoppable || on == scenario.OnAwake
	switch {
	case n.Removed():
		return node + " has left for good."
	case role == world.RoleWaiting && on != scenario.OnAny && on != scenario.OnConnected:
		return node + " has not started yet."
	case on == scenario.OnStoppable && n.StopAsked():
		return node + " is stopping already."
	case running && role == world.RoleDown:
		return node + " is already down. Restart it first."
	case running && role == world.RoleEnded:
		return node + " has ended. Restart it first."
	case on == scenario.OnAwake && n.Paused():
		return node + " is already paused. Resume it first."
	case on == scenario.OnEnded && role != world.RoleDown && role != world.RoleEnded:
		return node + " is running. Crash or stop it first."
	case on == scenario.OnPaused && !n.Paused():
		return node + " is not paused."
	case on == scenario.OnConnected && up && down:
		return node + " is cut off already. Heal it first."
	case on == scenario.OnCut && !up && !down:
		return node + " is not cut off."
	}
	return ""
}
