package scenario

// ActBurst starves an elector with many other requests of its process, because client-go's rate limiter sends
// requests in order. At 20 requests per second, a renewal behind 200 other requests waits about 10 s, which is as
// long as the whole renewDeadline.
const ActBurst = "burst"

// usualBurst is how many requests a click sends. At client-go's default of 5 requests per second, the elector waits
// about 40 s for these.
const usualBurst = 200

var actBurst = Act{
	Use:  Uses{Explore: No, GoTest: No, InTest: No, OnServer: No, AsProcesses: No},
	Word: ActBurst, Section: SectionProcess, Takes: []string{"target", "count"}, Needs: []string{"target", "count"},
	On:    OnRunning,
	Label: "Burst", Told: "sends a burst", Promise: "will send a burst",
	Help: "The process sends other requests through the client's rate limiter. Renewals wait behind them.",
	usual: func(a *Action) {
		a.Count = orDefault(a.Count, usualBurst)
	},
}
