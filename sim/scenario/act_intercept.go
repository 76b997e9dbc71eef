package scenario

const (
	ActIntercept = "intercept"
	ActDeliver   = "deliver"
)

// Effects of an intercept.
const (
	EffectDrop         = "drop"
	EffectDropResponse = "dropResponse"
	EffectHold         = "hold"
	EffectLate         = "late"
)

var actIntercept = Act{
	Word: ActIntercept, Section: SectionNetwork, Takes: []string{"target", "effect", "nth", "for"}, Needs: []string{"target", "effect"}, Inverse: ActDeliver, On: OnSending,
	Told: "has a message stopped", Promise: "will have a message stopped",
	Help: "Stops one message that is on its way now, between the elector of the target and the API server: its newest request, or the answer to it. Other messages pass.",
	fits: checkHeld,
}

var actDeliver = Act{
	Word: ActDeliver, Section: SectionNetwork, Takes: []string{"target", "nth"}, Needs: targetOnly, On: OnHeld,
	Told: "has its held message delivered", Promise: "will have its held message delivered",
	Help: "The messages of the target that an intercept holds go on.",
}

// checkHeld refuses a length of what is over at once.
func checkHeld(a Action, path string) *FieldError {
	if a.For > 0 && a.Effect != EffectHold && a.Effect != EffectLate {
		return refuseDuration(join(path, "for"), a.For, "needs effect "+quote(EffectHold)+" or "+quote(EffectLate)+": a message that is lost does not come back")
	}
	return nil
}
