package lab

import (
	"time"

	"github.com/leaselab/leaselab/sim/world"
)

// Beliefs: What every node takes for true at the cursor, when nobody or more than one took itself for the leader lately, and what keeps the leader and its successor apart.
type Beliefs struct {
	Run     int            `json:"run"`
	Server  string         `json:"server"` // the API server's wall clock: true time
	From    int64          `json:"from"`   // of the bands
	To      int64          `json:"to"`
	Nodes   []Belief       `json:"nodes"`
	Bands   []BeliefBand   `json:"bands"`
	Margins []LeaderMargin `json:"margins"`           // one for each leader
	Least   *int64         `json:"least,omitempty"`   // the smallest margin so far, once somebody has renewed
	Nearest *int64         `json:"nearest,omitempty"` // the shortest time from a stop to the next start so far; negative: they overlapped
}

// Belief: One node's own view.
type Belief struct {
	Name   string  `json:"name"`
	Index  int     `json:"index"`
	Alive  bool    `json:"alive"`
	Wall   string  `json:"wall"` // its own wall clock
	MonoNs int64   `json:"monoNs"`
	Leads  bool    `json:"leads"` // it takes itself for the leader
	Holder string  `json:"holder"`
	Seen   *Cursor `json:"seen,omitempty"`  // when it last saw the Lease change
	Until  *int64  `json:"until,omitempty"` // the Lease counts for it until then
}

// BeliefBand: A stretch in which nobody, or more than one, took itself for the leader.
type BeliefBand struct {
	From int64  `json:"from"`
	To   int64  `json:"to"`
	Kind string `json:"kind"` // "nobody" | "two"
	Who  string `json:"who"`  // "a and c"
}

// LeaderMargin: leaseDuration − renewDeadline − retryPeriod − the way of the last answer from the server: what is left between a leader's last chance to stop and the first chance of another to take over.
type LeaderMargin struct {
	Node     string `json:"node"`
	Index    int    `json:"index"`
	LeaseNs  int64  `json:"leaseNs"` // L, as the Lease publishes it
	RenewNs  int64  `json:"renewNs"` // R, on the node's own clock in true time
	RetryNs  int64  `json:"retryNs"` // P, likewise
	AnswerNs int64  `json:"answerNs"`
	MarginNs int64  `json:"marginNs"`
	Stops    *int64 `json:"stops,omitempty"` // when it must stop if nothing succeeds from now on
	Takes    *int64 `json:"takes,omitempty"` // when the first of the others may take over
	By       string `json:"by"`
	Paused   bool   `json:"paused"` // it cannot stop: it stands still
}

// beliefNs is how far back the bands reach.
const beliefNs = 60_000_000_000

// Beliefs is what the nodes believe at the cursor.
func (l *Lab) Beliefs() *Beliefs {
	s := l.stateHere()
	w := s.world
	b := &Beliefs{
		Run: l.run().id, Server: wallText(l.cursor.T), From: max(0, l.cursor.T-beliefNs), To: l.cursor.T,
		Nodes: []Belief{}, Margins: []LeaderMargin{},
	}
	for i := range int32(min(w.Nodes(), viewNodes)) {
		if w.IsServer(i) {
			continue
		}
		one := Belief{Name: w.Name(i), Index: int(i), Alive: w.Alive(i), Leads: w.Believes(i)}
		offset, _, _ := w.Clock(i)
		one.MonoNs = w.MonoNs(i, l.cursor.T)
		one.Wall = wallText(one.MonoNs + offset)
		if record, at, seen := w.Observed(i); seen {
			one.Holder = w.DisplayName(record.HolderIdentity)
			one.Seen = &Cursor{T: at, N: -1}
			if until, known := w.CountsUntil(i); known && record.HolderIdentity != 0 {
				one.Until = &until
			}
		}
		b.Nodes = append(b.Nodes, one)
		if w.Active(i) && w.Alive(i) {
			b.Margins = append(b.Margins, marginOf(s, i))
		}
	}
	if _, least, known := s.checks.Margin(); known {
		b.Least = &least
	}
	if nearest, known := s.checks.NearestNs(); known {
		b.Nearest = &nearest
	}
	b.Bands = l.beliefBands(b.From, b.To)
	return b
}

func marginOf(s *state, i int32) LeaderMargin {
	w := s.world
	running, _ := w.Settings(i)
	m := LeaderMargin{
		Node: w.Name(i), Index: int(i), LeaseNs: int64(running.LeaseDuration / time.Second * time.Second),
		RenewNs: w.CountedNs(i, int64(running.RenewDeadline)), RetryNs: w.CountedNs(i, int64(running.RetryPeriod)), AnswerNs: running.ResponseNs, Paused: w.Paused(i),
	}
	if _, answer, known := s.tracker.Renewal(i); known {
		m.AnswerNs = answer
	}
	m.MarginNs = m.LeaseNs - m.RenewNs - m.RetryNs - m.AnswerNs
	if zero, leading, ok := w.Countdown(i); ok && leading {
		m.Stops = &zero
	}
	for k := range int32(w.Nodes()) {
		stored, exists := w.Kept(k)
		zero, leading, ok := w.Countdown(k)
		if k == i || leading || !ok || w.IsServer(k) || w.Paused(k) {
			continue
		}
		// Who has not seen the last renewal yet will see it when it looks, and count anew.
		if record, _, _ := w.Observed(k); exists && !record.SameRaw(&stored.Spec) {
			zero = max(zero, w.Now()+w.CountedNs(k, int64(stored.Spec.LeaseDurationSeconds)*1e9))
		}
		if m.Takes == nil || zero < *m.Takes {
			m.Takes, m.By = &zero, w.Name(k)
		}
	}
	return m
}

// beliefBands runs the stretch again and notes when the number of those who take themselves for the leader is not one.
func (l *Lab) beliefBands(fromNs, toNs int64) []BeliefBand {
	all := []BeliefBand{}
	r := l.run()
	s := r.stateAt(Cursor{T: fromNs, N: -1}, nil)
	open := BeliefBand{}
	look := func(now int64) {
		kind, who := believers(s.world)
		if kind == open.Kind && who == open.Who {
			return
		}
		if open.Kind != "" && now > open.From {
			open.To = now
			all = append(all, open)
		}
		open = BeliefBand{From: now, Kind: kind, Who: who}
	}
	look(fromNs)
	for s.step(toNs, nil) {
		look(s.world.Now())
	}
	if open.Kind != "" && toNs > open.From {
		open.To = toNs
		all = append(all, open)
	}
	return all
}

// believers says whether nobody or more than one takes itself for the leader.
func believers(w *world.World) (kind, who string) {
	n := 0
	for i := range int32(w.Nodes()) {
		if !w.Believes(i) {
			continue
		}
		if n++; n > 1 {
			who += " and "
		}
		who += w.Name(i)
	}
	switch n {
	case 0:
		return "nobody", ""
	case 1:
		return "", ""
	}
	return "two", who
}
