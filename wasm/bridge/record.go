//go:build !page

package bridge

import (
	"errors"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/sim/programs/replay"
	"github.com/leaselab/leaselab/sim/protocol"
)

func init() {
	beyond = append(beyond,
		answers("recordBegin", starts, (*Bridge).recordBegin),
		answers("recordFeed", starts, (*Bridge).recordFeed),
		redraws("recordShow", starts, (*Bridge).recordShow),
	)
}

// RecordFeedParams has the next bytes of a record of real programs. Over: they are the last.
type RecordFeedParams struct {
	Text string `json:"text"`
	Over bool   `json:"over,omitempty"`
}

// RecordKnown says how far a record is known. View is what the page draws now, if it shows the record and computes
// nothing.
type RecordKnown struct {
	Known  int64          `json:"known"`
	End    int64          `json:"end"`    // of its acts, at least
	GoesOn bool           `json:"goesOn"` // more may come
	Whole  bool           `json:"whole"`  // it has its last line
	Says   string         `json:"says"`   // what is wrong with it, "" for nothing
	View   *protocol.View `json:"view,omitempty"`
}

// record is a record that is read.
type record struct{ tape *replay.Tape }

var errNoRecord = errors.New("no record has been begun")

// objectBytes is the limit of `leaselab serve` and `leaselab test`, which write the records.
const objectBytes = 3 << 19

// recordBegin reads another record from now on.
func (b *Bridge) recordBegin(*None) (*None, error) {
	b.record = &record{replay.NewTape(func(config *apiserver.Config) {
		config.ObjectBytes, config.InParts = objectBytes, true
	})}
	return &None{}, nil
}

func (b *Bridge) reads() (*replay.Tape, error) {
	if r, is := b.record.(*record); is {
		return r.tape, nil
	}
	return nil, errNoRecord
}

// recordFeed takes the next bytes. What is wrong with them is in the answer: what came before them can still be shown.
func (b *Bridge) recordFeed(p *RecordFeedParams) (*RecordKnown, error) {
	t, err := b.reads()
	if err != nil {
		return nil, err
	}
	_ = t.Append([]byte(p.Text)) // Err has it
	if p.Over {
		_ = t.Close()
	}
	out := &RecordKnown{}
	if b.lab.Record() == t {
		b.lab.Reach()
		if b.lab.Progress() == nil {
			out.View = b.view()
		}
	}
	if out.Known, out.GoesOn, out.Whole = t.KnownNs(), t.GoesOn(), t.Whole(); t.Setup() != nil {
		out.End = t.EndNs()
	}
	if t.Err() != nil {
		out.Says = t.Err().Error()
	}
	return out, nil
}

// recordShow opens the record as far as it is known.
func (b *Bridge) recordShow(*None) error {
	t, err := b.reads()
	if err != nil {
		return err
	}
	switch {
	case t.Setup() == nil && t.Err() != nil:
		return t.Err()
	case t.Setup() == nil:
		return errNoHeading
	}
	b.opened = true
	b.lab.Stop()
	b.pacer.Reset()
	b.lab.OpenRecord(t.Scenario(), t)
	return nil
}

var errNoHeading = errors.New("the record has no first line, which names its scenario")
