// Package study answers questions that need many runs. Its idea is simple: number the runs, make them anywhere, and
// read the results in order.
//
// # The problem
//
// One run answers "what happened?". Better questions need thousands of runs: how often, how bad at worst, which
// setting is best, and is it possible at all? Such work should use every core, survive Ctrl-C, spread over a hundred
// pods, and advance in slices inside a browser tab. None of that may change the answer.
//
// The obvious program, in which goroutines each add to a shared total, cannot do this. The median needs all values,
// the "first" seed that broke a rule depends on which goroutine finishes first, and after Ctrl-C it is unknown which
// runs are in the total.
//
// # The idea
//
// A Plan says how many runs there are. A run is a pure function of its number. The outcome depends only on the
// results, in the order of their numbers.
//
//	type Plan[T any] interface {
//		Runs() int        // numbers 0 to Runs()-1
//		Run(number int) T // pure: same number, same result
//	}
//
// The number defines the run completely. In a grid of 3 combinations with 100 seeds each, run 217 is combination 2
// with the 18th seed. So a pod needs the plan and its shard, and a file of finished runs needs their numbers.
//
// Study does the bookkeeping between a plan and its workers. Next hands out a number, Put stores a result, Take
// returns the results in order:
//
//	workers, in any order                    reader, in order
//	Next -> 4   Put(4, ...)      +---+
//	Next -> 2   Put(2, ...)  --> | ? | -->  Take -> 0, 1, 2, ...
//	Next -> 7   Put(7, ...)      +---+
//
// A result that arrives early waits. If a result arrives twice, the study ignores the second one, which is identical
// anyway. A Shard has every Of-th run, so cheap and expensive runs spread evenly. The shards of a study merge into
// the same outcome. This loop is a complete command that can resume:
//
//	s := study.New(plan, shard)
//	take := func() {
//		for n, r, ready := s.Take(); ready; n, r, ready = s.Take() {
//			outcome.Add(n, r) // 0, 1, 2, ... whatever the order below
//		}
//	}
//	for number, result := range fileOfRuns { // results from an earlier process
//		s.Put(number, result)
//	}
//	for take(); s.Done() < s.Of(); take() {
//		number, _ := s.Next()
//		s.Put(number, plan.Run(number)) // plan.Run may move to other goroutines
//	}
//
// Stages is for a study whose later runs depend on earlier results: it has several plans, one after another. Staged
// makes such a study in slices.
//
// # The rooms
//
//	question                                         package       kind
//	what happens with each combination of values?    grid, heat    one plan
//	which durations meet my goals?                   advise        stages
//	from which instant on was it inevitable?         reroll        stages
//	what would have changed it?                      whatif        stages
//	can it happen at all?                            explore       rounds of a search
//	what could go wrong that nobody thought of?      hunt          rounds of trials
//	which parts of a scenario cause this failure?     shrink        one run after another
//
// The runs of hunt, explore and shrink depend on earlier ones, so these packages have their own rounds. Like the
// others, they work in slices, and the slices do not change the outcome. Package failure makes failures comparable,
// runfile stores finished runs in a file, and sliced runs studies in slices for the page.
//
// # What a number of runs is worth
//
// "It never happened" is a statement about the runs of one study. Wilson turns it into a statement about all possible
// runs:
//
//	runs without a hit      16     100     1,000   1,000,000
//	95 %: the share is
//	at most               19.4 %   3.7 %   0.38 %  0.0004 %
//
// So advise searches with 16 runs for each setting and confirms its choice with 1,000. To find what happens once in a
// million runs, use hunt, which steers toward trouble, or explore, which makes all runs within bounds.
//
// # Guarantee
//
// What Take returns does not depend on the order in which runs finish, on the shards, or on runs that happen twice.
// So the outcome is the same on one core, on all cores, on several machines, and in the page's worker, which runs a
// study in slices. A command that continues after Ctrl-C has it, too. Log, Exp and the other functions of plain.go give
// the same bits on every platform.
//
// # Non-guarantee
//
// A share of many runs is an estimate. Wilson gives the 95 % interval of that share, and the packages show the
// interval. A Study is a plain value and not safe for concurrent use: make runs on as many goroutines as you like,
// but call its methods from one.
//
// # Errors
//
// A run has no error. In most packages, New checks the plan before the first run and returns what is wrong with it.
// Packages advise and whatif may find out only in Next that there is nothing to run, so Stages.Next returns an error.
package study
