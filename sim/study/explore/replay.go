package explore

import (
	"encoding/binary"
	"errors"

	"github.com/leaselab/leaselab/core/digest"
	"github.com/leaselab/leaselab/sim/world"
)

// The possible entries of a log about an option.
const (
	logKnown  = iota // the schedule reached a known state
	logNew           // the schedule continues from a new state
	logEnd           // the schedule has ended
	logBroken        // the schedule breaks a rule
)

func appendNumbers(log []byte, all ...int64) []byte {
	for _, n := range all {
		log = binary.AppendUvarint(log, uint64(n))
	}
	return log
}

// appendTo adds to a log what Replay needs from an outcome.
func (o *outcome) appendTo(log []byte, isNew bool) []byte {
	switch {
	case o.rule != none:
		return appendNumbers(log, logBroken, int64(o.rule), o.atNs)
	case o.count == 0:
		return appendNumbers(log, logEnd)
	case !isNew:
		return appendNumbers(log, logKnown)
	}
	log = appendNumbers(log, logNew, int64(o.kind), int64(o.node)+1, int64(o.count), o.atNs)
	return binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(log, o.name[0]), o.name[1])
}

// logReader reads a log. `bad` means that the log ended early or contains an impossible value.
type logReader struct {
	data []byte
	bad  bool
}

func (l *logReader) number() int64 {
	v, n := binary.Uvarint(l.data)
	if n <= 0 {
		l.bad, l.data = true, nil
		return 0
	}
	l.data = l.data[n:]
	return int64(v)
}

func (l *logReader) readBelow(limit int) int64 {
	n := l.number()
	if n < 0 || n >= int64(limit) {
		l.bad, n = true, 0
	}
	return n
}

func (l *logReader) name() (name digest.Name) {
	if len(l.data) < 16 {
		l.bad, l.data = true, nil
		return name
	}
	name = digest.Name{binary.LittleEndian.Uint64(l.data), binary.LittleEndian.Uint64(l.data[8:])}
	l.data = l.data[16:]
	return name
}

var errStale = errors.New("its schedules do not fit the scenario")

// mostOptions limits the options of a choice in a log.
const mostOptions = 1 << 20

// Replay makes the next round from the log that Step returned for it. It runs no schedules, so a resumed search gets
// back to its previous progress quickly. The price is that the frames have no states: try recomputes a state when the
// search needs it. If the log does not fit the plan, Replay returns an error. Then discard the Explorer.
func (x *Explorer) Replay(log []byte) error {
	if x.Over() {
		return errStale
	}
	x.begin()
	in := &logReader{data: log}
	var o *outcome
	for _, p := range x.round.parts {
		for i := range p.to - p.from {
			o = &x.round.outcomes[p.first+int(i)]
			o.rule = none
			switch in.readBelow(logBroken + 1) {
			case logKnown:
				o.known, o.count = true, 1
			case logNew:
				o.kind, o.node = kind(in.readBelow(len(kindNames))), int32(in.readBelow(mostOptions))-1
				o.count, o.atNs, o.name = int32(in.readBelow(mostOptions)), in.number(), in.name()
			case logBroken:
				o.rule, o.atNs = int32(in.readBelow(len(x.plan.Rules))), in.number()
			}
		}
	}
	o.events, o.cut, o.nowNs = in.number(), in.number(), in.number()
	if in.bad || len(in.data) > 0 {
		return errStale
	}
	x.end()
	return nil
}

// stateOf follows the schedule of a frame from the beginning to its choice.
func (x *Follower) stateOf(f *frame) error {
	x.before = never
	options := f.path.options()
	number, depth := int32(0), 0
	if len(x.roots) > 1 {
		if len(options) == 0 || int(options[0]) >= len(x.roots) {
			return errStale
		}
		number, depth = options[0], 1
	}
	s := x.begin(number)
	for ; ; depth++ {
		c, due, broken := x.run(s, depth)
		if broken != none || c.count == 0 {
			return errStale
		}
		f.choice, f.due = c, append([]world.Due(nil), due...)
		if depth >= len(options) {
			break
		}
		if options[depth] >= c.count || x.apply(s, f, options[depth]) != none {
			return errStale
		}
	}
	f.atNs, f.before = s.world.Now(), s
	return nil
}
