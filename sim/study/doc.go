// Package study is the one idea behind every question that takes many runs: number the runs, make them anywhere, and
// read the results in order.
//
// # The problem
//
// One run answers "what happened?". The better questions need thousands: how often, how bad at worst, which setting
// is best, is it possible at all? Such work should use every core, survive Ctrl-C, split over a hundred pods, and
// advance in slices inside a browser tab. And none of that may change the answer.
//
// # The idea
//
// A Plan says how many runs exist. A run is a pure function of its number. The outcome depends only on the results,
// in the order of their numbers.
//
//	type Plan[T any] interface {
//		Runs() int        // numbers 0 to Runs()-1
//		Run(number int) T // pure: same number, same result
//	}
//
// Study is the bookkeeping between a plan and its workers. Next hands out a number, Put stores a result, Take
// returns the results in order:
//
//	workers, in any order                    reader, in order
//	Next -> 4   Put(4, ...)      +---+
//	Next -> 2   Put(2, ...)  --> | ? | -->  Take -> 0, 1, 2, ...
//	Next -> 7   Put(7, ...)      +---+
//
// A result that arrives early waits. A result that arrives twice is ignored, and the second one was equal anyway. A
// Shard has every Of-th run, so cheap and expensive runs spread evenly, and the shards of a study merge into the
// same outcome.
//
// Stages is for a study whose later runs depend on earlier results: it has one plan after another. Staged makes such
// a study in slices.
//
// # The rooms
//
//	question                                               package    kind
//	what happens with each combination of values?          grid, heat one plan
//	which durations meet my goals?                         advise     stages
//	from which instant on was it inevitable?               reroll     stages
//	what would have changed it?                            whatif     stages
//	can it happen at all?                                  explore    rounds of a search
//	what could go wrong that nobody thought of?            hunt       rounds of trials
//	what does this failure need, and no more?              shrink     one run after another
//
// The runs of hunt, explore and shrink depend on the ones before, so they have their own rounds; like the others
// they work in slices and give the same outcome however sliced. failure makes two failures comparable, runfile keeps
// finished runs in a file, sliced puts studies into words for the page, manifest writes the Kubernetes Job for a
// study in shards.
//
// # Guarantee
//
// The order in which runs finish, the shards, and runs that happen twice do not change what Take returns. So one
// core or all of them, slices in a worker of the page, several machines, and a command that continues after Ctrl-C
// give the same outcome. Log, Exp and the other functions of plain.go give the same bits on every platform.
//
// # Non-guarantee
//
// A share of many runs is an estimate. Wilson gives its 95 % interval, and the rooms show it. A Study is a plain
// value and not safe for concurrent use: make runs on as many goroutines as you like, but call its methods from one.
package study
