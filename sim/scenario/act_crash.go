package scenario

const ActCrash = "crash"

var actCrash = Act{
	Word: ActCrash, Section: SectionProcess, Takes: targetOnly, Needs: targetOnly, Inverse: ActRestart, On: OnRunning,
	Label: "Crash", Key: "K", Told: "crashes", Promise: "will crash",
	Help:    "The process ends at once. It sends no message, so nobody learns of it.",
	follows: endPause,
}
