package lab_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/leaselab/leaselab/sim/compile"
	"github.com/leaselab/leaselab/sim/lab"
	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
	"github.com/leaselab/leaselab/sim/testsupport/random"
	"github.com/leaselab/leaselab/sim/timeline"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/words"
	"github.com/leaselab/leaselab/sim/world"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const sec = int64(time.Second)

func text(t testing.TB, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	require.NoError(t, err)
	return string(b)
}

var long = flag.Bool("long", false, "make as many random runs as make test-long does")

// runs returns how many random runs a test makes: n with -long, half of it without, an eighth with -short, as under
// wasm.
func runs(n uint64) uint64 {
	switch {
	case *long:
		return n
	case testing.Short():
		return n / 8
	}
	return n / 2
}

// same asserts that two long texts are equal and shows where they differ.
func same(t testing.TB, want, got string, format string, args ...any) {
	t.Helper()
	if want == got {
		return
	}
	at := 0
	for at < len(want) && at < len(got) && want[at] == got[at] {
		at++
	}
	piece := func(s string) string { return s[max(0, at-150):min(len(s), at+150)] }
	require.Failf(t, "the texts differ", "%s:\nwant …%s…\ngot  …%s…", fmt.Sprintf(format, args...), piece(want), piece(got))
}

// user makes random clicks. Some are refused: an impossible act must change nothing.
type user struct {
	*rand.Rand
	t *testing.T
	l *lab.Lab
}

func (u *user) somewhere() timeline.Cursor {
	v := u.l.View()
	c := timeline.Cursor{T: u.Int64N(v.Live.T + 1), N: -1}
	if u.IntN(3) == 0 {
		c.N = int32(u.IntN(4))
	}
	return c
}

// act makes a random change to the run, and reports whether it was possible.
func (u *user) act() bool {
	acts := []string{"crash", "restart", "pause", "resume", "stop", "cut", "heal", "clock", "add", "remove", "suspend", "hang", "burst"}
	v := u.l.View()
	node := v.Nodes[u.IntN(len(v.Nodes))].Name
	if u.IntN(8) == 0 {
		node = "*"
	}
	act, options := acts[u.IntN(len(acts))], protocol.ActOptions{}
	switch act {
	case "cut":
		options.Direction = []string{"", "both", "up", "down"}[u.IntN(4)]
	case "clock":
		options.RatePpm, options.Offset = 500_000+u.Int64N(1_500_000), []string{"", "1h", "-90s"}[u.IntN(3)]
	}
	before := text(u.t, u.l.View())
	if u.IntN(3) == 0 {
		one := injection(u.t, u.IntN(len(faults)), node)
		if err := u.l.Inject(one, true); err != nil {
			require.Equal(u.t, before, text(u.t, u.l.View()), "%s %s was refused: %v", one.Act, node, err)
			return false
		}
		return true
	}
	if err := u.l.Act(act, node, options); err != nil {
		require.Equal(u.t, before, text(u.t, u.l.View()), "%s %s was refused: %v", act, node, err)
		return false
	}
	return true
}

// move looks at another place.
func (u *user) move() {
	switch u.IntN(5) {
	case 0:
		u.l.Seek(u.somewhere())
	case 1:
		u.l.Step(1-2*u.IntN(2), "event")
	case 2:
		u.l.Step(1-2*u.IntN(2), "landmark")
	case 3:
		u.l.Show(min(u.l.View().Live.T+u.Int64N(20*sec), u.l.View().End))
	case 4:
		require.NoError(u.t, u.l.RunTo([]string{"leaderChange", "violation"}[u.IntN(2)]))
	}
}

// A live run is a scenario: after clicks at the live cursor and in the past, and moves of the cursor, the saved
// scenario has the same hash at the same instant.
func TestALiveRunIsAScenario(t *testing.T) {
	branches := 0
	for n := range runs(200) {
		u := &user{rand.New(rand.NewPCG(n, 11)), t, open(t, random.Scenario(n))}
		for range 3 + u.IntN(12) {
			if u.IntN(2) == 0 {
				u.act()
			} else {
				u.move()
			}
		}
		if len(u.l.View().Branches) > 1 {
			branches++
		}
		for k := range 3 {
			saved, err := scenario.Decode(u.l.Save().Scenario)
			require.NoError(t, err, "number %d", n)
			at := u.l.View().Live.T
			if k > 0 {
				at = u.Int64N(at + 1)
			}
			u.l.Seek(timeline.Cursor{T: at, N: -1})
			if c := u.l.Cursor(); c.N >= 0 {
				u.l.Show(at) // the live cursor lay inside that instant
			}
			require.Equal(t, timeline.Cursor{T: at, N: -1}, u.l.Cursor())
			require.Equal(t, direct(saved, at), u.l.View().Hash, "number %d at %d", n, at)
		}
	}
	assert.Greater(t, uint64(branches), runs(200)/4)
}

// Undo restores exactly the earlier state, and redo the later one: hash, cursor, live cursor and view.
func TestUndoAndRedo(t *testing.T) {
	// The run's number and the list of branches may differ: the number only says that cached pictures are stale.
	look := func(l *lab.Lab) string {
		v := l.View()
		v.Run, v.Branches, v.Undo, v.Redo, v.Toast = 0, nil, "", "", ""
		line := l.Timeline(0, v.End, 1440)
		line.Run = 0
		return text(t, v) + text(t, line)
	}
	undone := 0
	for n := range runs(60) {
		u := &user{rand.New(rand.NewPCG(n, 12)), t, open(t, random.Scenario(n))}
		u.l.Show(30 * sec)
		var before []string // the look before each step
		for range 12 {
			u.move()
			was := look(u.l)
			done := u.act()
			if !done && u.IntN(2) == 0 {
				done = u.l.Edit("elector.retryPeriod", []string{"700ms", "1s", "1300ms"}[u.IntN(3)], "rerun", "") == nil
			}
			if done {
				before = append(before, was)
			}
		}
		last := look(u.l)
		for k := len(before) - 1; k >= 0; k-- {
			require.NoError(t, u.l.Undo())
			same(t, before[k], look(u.l), "number %d: undo of step %d", n, k)
			undone++
		}
		require.Error(t, u.l.Undo())
		for k := range before {
			require.NoError(t, u.l.Redo())
			want := last
			if k+1 < len(before) {
				want = before[k+1] // where Undo was called
			}
			same(t, want, look(u.l), "number %d: redo of step %d", n, k)
		}
		require.Error(t, u.l.Redo())
	}
	assert.Greater(t, uint64(undone), runs(60)*3)
}

// everything returns all that the page can ask for at the live cursor.
func everything(t *testing.T, l *lab.Lab) map[string]string {
	v := l.View()
	v.StorySpeed = 0 // story speed may slow down ahead of an event, because it paces the page; it is not part of what the page shows
	object, err := l.Object(0)
	require.NoError(t, err)
	all := map[string]string{
		"view": text(t, v), "timeline": text(t, l.Timeline(0, v.End, 1440)), "window": text(t, l.Timeline(v.Live.T-5*sec, v.Live.T+5*sec, 1440)),
		"events": text(t, l.Events(l.Cursor(), 0, 500, "", "")), "filtered": text(t, l.Events(l.Cursor(), -1, 500, "lease", "a")),
		"object": text(t, object), "share": text(t, l.Share(false)),
	}
	for k := range 100 {
		why, err := l.ExplainChange(k)
		if err != nil {
			break
		}
		all["why "+string(rune('0'+k))] = text(t, why)
	}
	return all
}

// Nothing after the live cursor leaves the engine: two runs that differ only after it look the same, even if one of
// them has been computed further.
func TestNothingBeyondLive(t *testing.T) {
	compared := 0
	for n := range runs(120) {
		r := rand.New(rand.NewPCG(n, 13))
		s := random.Scenario(n)
		s.Name = "one"
		live := 5*sec + r.Int64N(int64(s.Duration)-10*sec)
		kept := s
		kept.Actions = nil
		for _, a := range s.Actions {
			if int64(a.At) <= live {
				kept.Actions = append(kept.Actions, a)
			}
		}
		other := kept
		other.Actions = append([]scenario.Action(nil), kept.Actions...)
		for _, a := range []scenario.Action{
			{At: scenario.Duration(live + 1 + r.Int64N(sec)), Act: scenario.ActCrash, Target: "*"},
			{At: scenario.Duration(live + 1 + r.Int64N(2*sec)), Act: scenario.ActAdd, Candidate: &scenario.Candidate{Name: "late"}},
			{At: scenario.Duration(live + 1 + r.Int64N(2*sec)), Act: scenario.ActWrite, Op: scenario.OpDelete},
			{At: scenario.Duration(live + 1 + r.Int64N(2*sec)), Act: scenario.ActCut, Target: "*"},
		} {
			if r.IntN(2) == 0 {
				other.Actions = append(other.Actions, a)
			}
		}
		if scenario.Validate(kept) != nil || scenario.Validate(other) != nil {
			continue
		}
		show := func(s scenario.Scenario) map[string]string {
			l := lab.New([]scenario.Scenario{s})
			require.NoError(t, l.Open(lab.Opening{Name: "one"}))
			l.Play(0, 0) // story speed looks ahead
			l.Show(live)
			l.View()
			return everything(t, l)
		}
		one, two := show(kept), show(other)
		for what := range one {
			same(t, one[what], two[what], "number %d: %s at %d", n, what, live)
		}
		require.Len(t, two, len(one))
		compared++
	}
	assert.Greater(t, uint64(compared), runs(120)*2/3)
}

// A cursor shows the same, whether the session stepped there from the beginning or jumped back and forth.
func TestSeekingIsStepping(t *testing.T) {
	for n := range runs(25) {
		s := random.Scenario(n)
		stepping := lab.New(nil)
		require.NoError(t, stepping.Open(lab.Opening{Whole: &s, Live: &timeline.Cursor{T: int64(s.Duration), N: -1}}))
		var cursors []timeline.Cursor
		var views []string
		for {
			before := stepping.Cursor()
			stepping.Step(1, "event")
			if stepping.Cursor() == before || stepping.Cursor().T >= int64(s.Duration) {
				break
			}
			cursors, views = append(cursors, stepping.Cursor()), append(views, text(t, stepping.View()))
		}
		require.NotEmpty(t, cursors)
		jumping := lab.New(nil)
		require.NoError(t, jumping.Open(lab.Opening{Whole: &s, Live: &timeline.Cursor{T: int64(s.Duration), N: -1}}))
		for _, k := range rand.New(rand.NewPCG(n, 14)).Perm(len(cursors)) {
			jumping.Seek(cursors[k])
			same(t, views[k], text(t, jumping.View()), "number %d at %+v", n, cursors[k])
		}
		// Steps back visit the same places in reverse order.
		jumping.Seek(cursors[len(cursors)-1])
		for k := len(cursors) - 2; k >= 0; k-- {
			jumping.Step(-1, "event")
			require.Equal(t, cursors[k], jumping.Cursor(), "number %d, step back to %d", n, k)
		}
	}
}

// Windows of the event list, with any filter, equal the whole list filtered by hand.
func TestEventsAgainstFiltering(t *testing.T) {
	for n := range runs(20) {
		r := rand.New(rand.NewPCG(n, 15))
		l := open(t, random.Scenario(n))
		l.Show(l.View().End)
		var all []timeline.EventRow
		for {
			page := l.Events(timeline.Cursor{}, len(all), 1+r.IntN(500), "", "")
			require.Equal(t, len(all), page.From)
			if len(page.Rows) == 0 {
				require.Equal(t, page.Total, len(all))
				break
			}
			all = append(all, page.Rows...)
		}
		require.NotEmpty(t, all)
		for k := 1; k < len(all); k++ {
			require.True(t, all[k-1].T < all[k].T || all[k-1].T == all[k].T && all[k-1].N < all[k].N, "in order, without duplicates")
		}
		for range 60 {
			live := timeline.Cursor{T: all[r.IntN(len(all))].T, N: -1}
			around := timeline.Cursor{T: r.Int64N(live.T + 1), N: -1}
			filter, node := []string{"", "lease", "LEADS", "409", "takes the", "no row contains it"}[r.IntN(6)], []string{"", "", "a", "b", "zz"}[r.IntN(5)]
			var want []timeline.EventRow
			at := -1
			for _, row := range all {
				said := strings.ToLower(row.Node + " " + row.Text + " " + row.Detail)
				if row.T <= live.T && (node == "" || row.Node == node) && strings.Contains(said, strings.ToLower(filter)) {
					if row.T <= around.T {
						at = len(want)
					}
					want = append(want, row)
				}
			}
			count := 1 + r.IntN(80)
			from := r.IntN(len(want) + 3)
			fresh := l
			if r.IntN(3) == 0 { // this run's live cursor lies earlier: later rows do not count
				fresh = open(t, random.Scenario(n))
				fresh.Show(live.T)
			} else {
				live.T = l.View().End
				want, at = nil, -1
				for _, row := range all {
					said := strings.ToLower(row.Node + " " + row.Text + " " + row.Detail)
					if (node == "" || row.Node == node) && strings.Contains(said, strings.ToLower(filter)) {
						if row.T <= around.T {
							at = len(want)
						}
						want = append(want, row)
					}
				}
			}
			got := fresh.Events(around, from, count, filter, node)
			require.Equal(t, len(want), got.Total, "number %d filter %q node %q", n, filter, node)
			require.Equal(t, at, got.At, "number %d filter %q node %q around %d", n, filter, node, around.T)
			from = min(from, len(want))
			require.Equal(t, from, got.From)
			require.Equal(t, append([]timeline.EventRow{}, want[from:min(from+count, len(want))]...), got.Rows)
		}
	}
}

// In the headlines of a hundred crashes, the shown parts add up to the shown total, and each leads to an existing
// record before the live cursor.
func TestHeadlinesAddUp(t *testing.T) {
	s, ok := shipped.ByName("crash")
	require.True(t, ok)
	for seed := range uint64(100) {
		s.Seed = seed
		records := map[int64]int32{}
		w := world.New(compile.Scenario(s))
		w.Run(int64(s.Duration), func(all []trace.Record) {
			for _, r := range all {
				records[r.At]++
			}
		})
		l := open(t, s)
		l.Show(60 * sec)
		require.NoError(t, l.RunTo("leaderChange"))
		v := l.View()
		require.Equal(t, "gap", v.Headline.Kind, "seed %d", seed)
		total := *v.Headline.GapTo - *v.Headline.GapFrom
		require.Equal(t, "Nobody led for "+words.Seconds(total)+".", v.Headline.Title)
		exact, shown := int64(0), int64(0)
		at := *v.Headline.GapFrom
		for _, a := range v.Headline.Addends {
			require.Equal(t, at, a.From)
			at = a.To
			exact += a.Ns
			whole, thousandths, found := strings.Cut(a.Shown, ".")
			require.True(t, found)
			var ms int64
			for _, digit := range whole + thousandths {
				ms = ms*10 + int64(digit-'0')
			}
			shown += ms
			require.False(t, a.Cursor.T > v.Live.T || a.Cursor.T == v.Live.T && v.Live.N >= 0 && a.Cursor.N > v.Live.N, "seed %d: beyond the live instant", seed)
			require.True(t, a.Cursor.N == -1 && records[a.Cursor.T] > 0 || a.Cursor.N >= 1 && a.Cursor.N <= records[a.Cursor.T], "seed %d: no record at %+v", seed, a)
		}
		require.Equal(t, total, exact)
		require.Equal(t, *v.Headline.GapTo, at)
		require.Equal(t, words.Seconds(total), words.Seconds(shown*1_000_000), "seed %d", seed)
	}
}

// With ten thousand candidates, the maximum, a lab opens, steps, seeks and lists, and describes the first hundred.
func TestTenThousandCandidates(t *testing.T) {
	if testing.Short() {
		t.Skip("it computes 10,000 candidates: runs without -short")
	}
	s, err := scenario.Decode([]byte(`{"apiVersion":"leaselab.dev/v1alpha1","kind":"Scenario","seed":1,"duration":"60s","candidates":[{"name":"n","replicas":10000,"spreadStart":"5s"}],
		"actions":[{"at":"10s","act":"crash","target":"holder"}]}`))
	require.NoError(t, err)
	l := open(t, s)
	for range 5 {
		l.Step(1, "event")
	}
	l.Show(12 * sec)
	v := l.View()
	assert.Equal(t, 10_000, v.NodesTotal)
	assert.Len(t, v.Nodes, 100)
	assert.Empty(t, v.Flights)
	line := l.Timeline(0, 12*sec, 1440)
	assert.Len(t, line.Lanes, 10_000)
	assert.NotEmpty(t, l.Events(l.Cursor(), -1, 50, "", "").Rows)
	require.NoError(t, l.RunTo("leaderChange"))
	assert.Equal(t, "gap", l.View().Headline.Kind)
	l.Seek(timeline.Cursor{T: 3 * sec, N: -1})
	assert.Equal(t, direct(s, 3*sec), l.View().Hash)
}

// After a day with a hundred candidates has been computed, the session finds every place in it again.
func TestADayWithAHundredCandidates(t *testing.T) {
	if testing.Short() {
		t.Skip("computes a day of a hundred candidates")
	}
	s, err := scenario.Decode([]byte(`{"apiVersion":"leaselab.dev/v1alpha1","kind":"Scenario","seed":1,"duration":"24h","candidates":[{"name":"n","replicas":100,"spreadStart":"5s"}],
		"actions":[{"at":"5h","act":"crash","target":"holder"},{"at":"17h","act":"pause","target":"holder","for":"40s"}]}`))
	require.NoError(t, err)
	l := open(t, s)
	require.NoError(t, l.RunTo("end"))
	r := rand.New(rand.NewPCG(1, 16))
	places := make([]int64, 20)
	for i := range places {
		places[i] = r.Int64N(int64(s.Duration))
	}
	hashes := map[int64]string{}
	order := append([]int64(nil), places...)
	for i := range order { // one direct run that stops at each of the places
		for k := i; k > 0 && order[k] < order[k-1]; k-- {
			order[k], order[k-1] = order[k-1], order[k]
		}
	}
	w := world.New(compile.Scenario(s))
	for _, at := range order {
		w.Run(at, func([]trace.Record) {})
		hashes[at] = w.Hash().String()
	}
	for _, at := range places {
		l.Seek(timeline.Cursor{T: at, N: -1})
		v := l.View()
		require.Equal(t, hashes[at], v.Hash, "at %d", at)
		events := l.Events(l.Cursor(), -1, 20, "", "")
		require.NotEmpty(t, events.Rows)
		require.LessOrEqual(t, events.Rows[0].T, at)
		require.NotEmpty(t, l.Timeline(at-30*sec, at+30*sec, 1440).Lanes)
	}
}
