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

// RecordFeedParams contains the next bytes of a record of real programs. Over is true for the last bytes.
type RecordFeedParams struct {
	Text string `json:"text"`
	Over bool   `json:"over,omitempty"`
}

// RecordKnown says how much of a record the page has. If the page shows the record and no computation is in progress,
// View is what the page draws now.
type RecordKnown struct {
	Known  int64          `json:"known"`
	End    int64          `json:"end"`    // at least the end of the record's acts
	GoesOn bool           `json:"goesOn"` // more of the record may come
	Whole  bool           `json:"whole"`  // the last line of the record has arrived
	Says   string         `json:"says"`   // what is wrong with the record, or ""
	View   *protocol.View `json:"view,omitempty"`
}

// record is a record of real programs that the page is reading.
type record struct{ tape *replay.Tape }

var errNoRecord = errors.New("no record is open: send recordBegin first")

// objectBytes is the same limit as in `leaselab serve` and `leaselab test`, which write the records.
const objectBytes = 3 << 19

// recordBegin starts reading another record.
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

// recordFeed adds the next bytes to the record. The answer says what is wrong with the bytes; the page can still show
// what came before.
func (b *Bridge) recordFeed(p *RecordFeedParams) (*RecordKnown, error) {
	t, err := b.reads()
	if err != nil {
		return nil, err
	}
	_ = t.Append([]byte(p.Text)) // Err returns the error
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

// recordShow opens the part of the record that the page has.
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
