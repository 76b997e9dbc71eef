package scenario

// ActIntercept stops a single message, while a cut stops all of them. It shows what a single lost answer can do: "the
// server stored the renewal, but the leader never learned it".
const (
	ActIntercept = "intercept"
	ActDeliver   = "deliver"
)

// Effects of an intercept. EffectHold models a queue in a switch or a proxy: the message goes on later, and EffectLate
// lets it go on even after its sender has given up.
const (
	EffectDrop         = "drop"
	EffectDropResponse = "dropResponse"
	EffectHold         = "hold"
	EffectLate         = "late"
)

// An intercept distinguishes a node's messages by the client in the node that sends them.
const (
	MessageElector        = "elector"
	MessageHeartbeat      = "heartbeat"
	MessageLeaseCandidate = "leaseCandidate"
	MessageController     = "controller"
	MessageResource       = "resource"
)

// checkHeld refuses a length for an effect that happens at one instant, such as a drop. It also refuses to drop the
// answer to a write to the resource, because such a write has no answer.
func checkHeld(v *validator, a Action, path string) {
	if a.Message == MessageResource && a.Effect == EffectDropResponse {
		v.add(refuse(join(path, "effect"), a.Effect, "does not belong to message "+quote(a.Message)+
			": nothing answers a write to the resource"))
	}
	if a.For > 0 && a.Effect != EffectHold && a.Effect != EffectLate {
		v.add(refuseDuration(join(path, "for"), a.For, "needs effect "+quote(EffectHold)+" or "+quote(EffectLate)+
			": a lost message does not come back"))
	}
}
