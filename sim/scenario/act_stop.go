package scenario

const ActStop = "stop"

var actStop = Act{
	Word: ActStop, Section: SectionProcess, Takes: targetOnly, Needs: targetOnly, Inverse: ActRestart, On: OnStoppable,
	Label: "Stop", Key: "T", Told: "is asked to stop", Promise: "will be asked to stop",
	Help: "The process is asked to stop. With releaseOnCancel a leader first clears holderIdentity.",
}
