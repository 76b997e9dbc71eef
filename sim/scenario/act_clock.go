package scenario

const ActClock = "clock"

var actClock = Act{
	Word: ActClock, Section: SectionTime, Takes: []string{"target", "offset", "ratePpm", "jump"}, Needs: targetOnly, OneOf: []string{"offset", "ratePpm", "jump"}, On: OnAny,
	Label: "Clock…", Told: "gets a new clock", Promise: "will get a new clock",
	Help: "An offset moves what the node writes, and harms nobody. A rate stretches its timers, and does. A jump moves its wall clock only.",
}
