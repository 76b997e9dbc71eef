package hunt

import (
	"math/rand/v2"
	"slices"
	"time"

	"github.com/leaselab/leaselab/sim/scenario"
)

// kind is a kind of fault that a hunt draws. Its acts end before a given instant, because from then on there must be
// a leader.
type kind struct {
	name string
	help string
	draw func(d *drawing, untilNs int64, atNs int64) []scenario.Action
}

// `kinds` lists all kinds of faults, in the order of the documentation.
var kinds = []kind{
	{"cut",
		"the network of one node or of all nodes breaks in one or both directions: messages get lost, refused or held",
		(*drawing).cut},
	{"fail", "requests from one candidate or all get errors, hang, get lost, or lose their answers", (*drawing).fail},
	{"latency", "the requests or answers of one candidate or of all take up to 8 s", (*drawing).latency},
	{"message", "one message on its way gets lost or held", (*drawing).message},
	{"crash", "a process crashes and starts again", lasting(scenario.ActCrash)},
	{"stop", "a process is asked to stop and starts again", (*drawing).stop},
	{"restart", "every process that has ended starts again", (*drawing).restart},
	{"settings", "a candidate gets other durations and starts again with them", (*drawing).settings},
	{"pause", "a process is paused", lasting(scenario.ActPause)},
	{"hang", "an elector's loop is stuck while its process works", lasting(scenario.ActHang)},
	{"suspend", "a node sleeps", lasting(scenario.ActSuspend)},
	{"jump", "a wall clock jumps, or gets another offset", (*drawing).jump},
	{"rate", "a clock runs too fast or too slowly", (*drawing).rate},
	{"write", "an administrator touches, patches or deletes the Lease", (*drawing).write},
}

// Kinds lists the names of the kinds of faults, with a sentence about each.
func Kinds() (names, help []string) {
	for _, k := range kinds {
		names, help = append(names, k.name), append(help, k.help)
	}
	return names, help
}

// drawing draws faults for a scenario.
type drawing struct {
	*rand.Rand
	names []string // names of the candidates that exist from the start
}

// `one` returns true once in n times, on average.
func (d *drawing) one(n int) bool { return d.IntN(n) == 0 }

func pick[T any](d *drawing, from ...T) T { return from[d.IntN(len(from))] }

// `instant` draws an instant in from..to, rounded to a tenth of a second. Faults need no more precision.
func (d *drawing) instant(fromNs, toNs int64) int64 {
	const tenth = 100_000_000
	if toNs <= fromNs {
		return fromNs
	}
	return fromNs + d.Int64N((toNs-fromNs)/tenth+1)*tenth
}

// length draws a duration that ends before untilNs. Half of the durations are below 5 s, and the others are up to a
// minute. Short faults disturb one renewal; long ones outlast a leaseDuration of 15 s.
func (d *drawing) length(atNs, untilNs int64) scenario.Duration {
	most := int64(time.Minute)
	if d.one(2) {
		most = int64(5 * time.Second)
	}
	return scenario.Duration(d.instant(100_000_000, max(min(most, untilNs-atNs), 100_000_000)))
}

// target returns the holder or a candidate, and sometimes all candidates. About a third of the targets are the
// holder, since faults there do the most harm.
func (d *drawing) target(all bool) string {
	switch {
	case all && d.one(8):
		return scenario.TargetEverybody
	case d.one(3):
		return scenario.TargetHolder
	}
	return d.names[d.IntN(len(d.names))]
}

func (d *drawing) lasting(act string, untilNs, atNs int64, all bool) scenario.Action {
	return scenario.Action{At: scenario.Duration(atNs), Act: act, Target: d.target(all), For: d.length(atNs, untilNs)}
}

func (d *drawing) cut(untilNs, atNs int64) []scenario.Action {
	a := d.lasting(scenario.ActCut, untilNs, atNs, true)
	a.Mode = pick(d, "", "", scenario.ModeRefuse, scenario.ModeHold, scenario.ModeLate, scenario.ModeConnection)
	a.Direction = pick(d, "", "", scenario.DirectionUp, scenario.DirectionDown)
	return []scenario.Action{a}
}

func (d *drawing) fail(untilNs, atNs int64) []scenario.Action {
	a := d.lasting(scenario.ActFail, untilNs, atNs, true)
	a.Error = pick(d, scenario.Choices("Action.error")...)
	a.Verb = pick(d, "", "", "get", "update", "reads", "writes")
	if d.one(4) {
		a.Count = 1 + d.IntN(3)
	}
	return []scenario.Action{a}
}

func (d *drawing) latency(untilNs, atNs int64) []scenario.Action {
	a := d.lasting(scenario.ActLatency, untilNs, atNs, true)
	slow := scenario.Duration(d.instant(100_000_000, int64(8*time.Second)))
	if d.one(2) {
		a.Request = &slow
	} else {
		a.Response = &slow
	}
	return []scenario.Action{a}
}

func (d *drawing) message(untilNs, atNs int64) []scenario.Action {
	a := scenario.Action{
		At: scenario.Duration(atNs), Act: scenario.ActIntercept, Target: d.target(false),
		Effect: pick(d, scenario.EffectDrop, scenario.EffectDropResponse, scenario.EffectHold, scenario.EffectLate),
	}
	if a.Effect == scenario.EffectHold || a.Effect == scenario.EffectLate {
		a.For = d.length(atNs, untilNs)
	}
	return []scenario.Action{a}
}

// `lasting` returns a fault that ends by itself.
func lasting(act string) func(d *drawing, untilNs, atNs int64) []scenario.Action {
	return func(d *drawing, untilNs, atNs int64) []scenario.Action {
		return []scenario.Action{d.lasting(act, untilNs, atNs, false)}
	}
}

// The target of stop is a name and not the holder, because at the restart another candidate is the holder.
func (d *drawing) stop(untilNs, atNs int64) []scenario.Action {
	who, back := d.names[d.IntN(len(d.names))], atNs+int64(d.length(atNs, untilNs))
	return []scenario.Action{
		{At: scenario.Duration(atNs), Act: scenario.ActStop, Target: who},
		{At: scenario.Duration(back), Act: scenario.ActRestart, Target: who},
	}
}

// restart brings back ended processes. client-go's Run returns after a loss of the Lease, and by default nothing else
// starts the process again.
func (d *drawing) restart(_, atNs int64) []scenario.Action { return restarts(atNs) }

func restarts(atNs int64) []scenario.Action {
	return []scenario.Action{{At: scenario.Duration(atNs), Act: scenario.ActRestart, Target: scenario.TargetEverybody}}
}

// `settings` gives a candidate different durations, as during a rollout that changes one process after another.
func (d *drawing) settings(_, atNs int64) []scenario.Action {
	second := scenario.Duration(time.Second)
	retry := scenario.Duration(1+d.IntN(4)) * second
	deadline := retry + scenario.Duration(2+d.IntN(28))*second
	lease := deadline + scenario.Duration(1+d.IntN(20))*second
	who := d.names[d.IntN(len(d.names))]
	return []scenario.Action{
		{At: scenario.Duration(atNs), Act: scenario.ActSet, Target: who,
			Elector: &scenario.Elector{LeaseDuration: &lease, RenewDeadline: &deadline, RetryPeriod: &retry}},
		{At: scenario.Duration(atNs), Act: scenario.ActCrash, Target: who, For: second},
	}
}

func (d *drawing) jump(_, atNs int64) []scenario.Action {
	by := scenario.Duration(d.instant(100_000_000, int64(pick(d, 20*time.Second, time.Minute, time.Hour))))
	if d.one(2) {
		by = -by
	}
	a := scenario.Action{At: scenario.Duration(atNs), Act: scenario.ActClock, Target: d.target(false), Jump: &by}
	if d.one(2) {
		a.Jump, a.Offset = nil, &by
	}
	return []scenario.Action{a}
}

// `rate` makes a clock wrong for a while. The target is a name and not the holder, because at the end another candidate
// may be the holder.
func (d *drawing) rate(untilNs, atNs int64) []scenario.Action {
	who, back := d.names[d.IntN(len(d.names))], atNs+int64(d.length(atNs, untilNs))
	return []scenario.Action{
		{At: scenario.Duration(atNs), Act: scenario.ActClock, Target: who, RatePpm: 500_000 +
			10_000*int64(d.IntN(151))},
		{At: scenario.Duration(back), Act: scenario.ActClock, Target: who, RatePpm: 1_000_000},
	}
}

func (d *drawing) write(_, atNs int64) []scenario.Action {
	a := scenario.Action{At: scenario.Duration(atNs), Act: scenario.ActWrite,
		Op: pick(d, scenario.OpTouch, scenario.OpPatch, scenario.OpPatch, scenario.OpDelete)}
	if a.Op == scenario.OpPatch {
		holder := pick(d, append(slices.Clone(d.names), "")...)
		a.Spec = &scenario.LeaseSpec{HolderIdentity: &holder}
	}
	return []scenario.Action{a}
}
