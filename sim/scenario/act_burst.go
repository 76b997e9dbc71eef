package scenario

const ActBurst = "burst"

// usualBurst is how many requests a click sends.
const usualBurst = 200

var actBurst = Act{
	Use:  Uses{Explore: No, GoTest: No, InTest: No, OnServer: No, AsProcesses: No},
	Word: ActBurst, Section: SectionProcess, Takes: []string{"target", "count"}, Needs: []string{"target", "count"},
	On:    OnRunning,
	Label: "Burst", Told: "sends a burst", Promise: "will send a burst",
	Help: "The process sends other requests through the client's rate limiter. The Lease waits behind them.",
	usual: func(a *Action) {
		a.Count = orDefault(a.Count, usualBurst)
	},
}
