package scenario

// ActCutResource separates a node from the resource that its leader writes to. The Lease is not affected, so the node
// stays the leader but gets nothing done.
const (
	ActCutResource  = "cutResource"
	ActHealResource = "healResource"
)

var actCutResource = Act{
	Use:  Uses{Explore: Yes, GoTest: No, InTest: No, OnServer: No, AsProcesses: No},
	Word: ActCutResource, Section: SectionRest, Takes: targetAndFor, Needs: targetOnly,
	Told: "is cut off from the resource", Promise: "will be cut off from the resource",
	Help: "The node's writes to the protected resource are lost; the Lease is not affected.",
}

var actHealResource = Act{
	Use:  Uses{Explore: Yes, GoTest: No, InTest: No, OnServer: No, AsProcesses: No},
	Word: ActHealResource, Section: SectionRest, Takes: targetOnly, Needs: targetOnly,
	Told: "reaches the resource again", Promise: "will reach the resource again",
	Help: "Ends every cutResource act on the target.",
}
