package programs_test

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/programs"
	"github.com/leaselab/leaselab/sim/programs/conduct"
	"github.com/leaselab/leaselab/sim/programs/replay"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/scenario/yaml"
)

// processes are copies that the operating system would run: a test plays them.
type processes struct{}

func (processes) Start(*programs.Node)  {}
func (processes) Stop(*programs.Node)   {}
func (processes) Kill(*programs.Node)   {}
func (processes) Pause(*programs.Node)  {}
func (processes) Resume(*programs.Node) {}

// played is what a run of played processes leaves.
type played struct {
	record   []byte
	hash     string
	findings []conduct.Finding
	facts    []conduct.Fact
}

// play records a minute of two processes in virtual time, with acts.
func play(t *testing.T, acts string, script func(c *programs.Cluster, a, b *programs.Node)) (p played) {
	t.Helper()
	s, err := yaml.Decode([]byte("apiVersion: leaselab.dev/v1alpha1\nkind: Scenario\nname: real\nduration: 1m\n" +
		"candidates: [{name: a}, {name: b}]\nactions: [" + acts + "]\n"))
	require.NoError(t, err)
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		options := programs.Options{Processes: processes{}}
		recorder, err := programs.NewRecorder(&out, s, &options)
		require.NoError(t, err)
		begin := options.RecordTo(recorder)
		c := programs.New(s, options)
		begin(c)
		go c.Drive()
		script(c, c.Node("a"), c.Node("b"))
		c.Until(time.Minute)
		c.Finish()
		c.Judge(c.Now(), func(r *run.Run, ns int64) {
			p.hash, p.findings = r.World.Hash().String(), c.Conduct().Findings(r.World, ns)
			p.facts = c.Conduct().Around(0, ns, 0, 1)
			c.End(ns)
		})
		c.Close()
		c.Quit()
		require.NoError(t, recorder.Err())
		p.record = out.Bytes()
	})
	return p
}

// hold makes a node the holder of the Lease, or renews it.
func hold(t *testing.T, n *programs.Node, method string) {
	t.Helper()
	path, body := leases, lease(n.Name(), "")
	if method == "PATCH" {
		path += "/demo"
		body = fmt.Sprintf(`{"spec":{"holderIdentity":%q,"renewTime":%q}}`, n.Name(), time.Now().UTC().Format("2006-01-02T15:04:05.000000Z"))
	}
	send(t, n, method, path, body)
}

// send sends a request, whose answer says nothing new.
func send(t *testing.T, n *programs.Node, method, path, body string) {
	t.Helper()
	r, err := http.NewRequestWithContext(n.Context(), method, n.Host+path, strings.NewReader(body))
	require.NoError(t, err)
	r.Header.Set("Content-Type", map[string]string{"PATCH": "application/merge-patch+json", "POST": "application/json"}[method])
	answer, err := n.Client().Do(r)
	if assert.NoError(t, err) {
		assert.Less(t, answer.StatusCode, 300)
	}
}

// outlives is a program that prints that it has lost the election, and works on for 20 s until its process ends.
func outlives(t *testing.T) func(c *programs.Cluster, a, b *programs.Node) {
	return func(c *programs.Cluster, a, b *programs.Node) {
		hold(t, a, "POST")
		a.BeginsWork()
		for range 5 {
			a.NotePrint("reconciling")
		}
		c.Until(10 * time.Second)
		hold(t, a, "PATCH")
		c.Until(30 * time.Second)
		a.NotePrint("leader election lost")
		c.Until(40 * time.Second)
		hold(t, b, "PATCH")
		b.BeginsWork()
		c.Until(49 * time.Second)
		a.NotePrint("cannot reach the database " + strings.Repeat("x", 400))
		c.Until(50 * time.Second)
		a.NoteExit(conduct.Exit{Code: 1})
		c.Until(55 * time.Second)
		hold(t, b, "PATCH")
	}
}

// drains is a program that loses the election at 35 s and reports pieces of work until an instant. Between two of them,
// another process begins to lead: from its view, the work of the first ends, and begins again with the next piece.
func drains(t *testing.T, until time.Duration) func(c *programs.Cluster, a, b *programs.Node) {
	return func(c *programs.Cluster, a, b *programs.Node) {
		hold(t, a, "POST")
		for at := 500 * time.Millisecond; at < time.Minute; at += 500 * time.Millisecond {
			switch c.Until(at); {
			case at < 20*time.Second:
				hold(t, a, "PATCH")
			case at == 35*time.Second:
				a.NotePrint("leader election lost")
			case at > 40*time.Second:
				hold(t, b, "PATCH")
				b.Piece()
				c.Until(at + 100*time.Millisecond)
			}
			if at <= until {
				a.Piece()
			}
		}
	}
}

// What the processes print and how they end is in the record, and changes nothing in the world. A replay finds the same
// mistakes as the run itself, also in a record without these lines, and the page reads it.
func TestARecordTellsWhatProcessesShow(t *testing.T) {
	p := play(t, "", outlives(t))
	require.Len(t, p.findings, 1)
	found := p.findings[0]
	assert.Equal(t, []any{conduct.WorksOn, conduct.ByLine, true, 30 * time.Second, 50 * time.Second},
		[]any{found.Cause, found.By, found.Ends, time.Duration(found.AtNs), time.Duration(found.UntilNs)})
	var told []string
	for _, k := range p.facts {
		told = append(told, k.Text("a", time.Duration(k.AtNs).String()))
	}
	require.Len(t, told, 3, "%v", told)
	assert.Equal(t, "a's process ended at 50s with exit code 1.", told[0])
	assert.Contains(t, told[1], "a printed `cannot reach the database xxx")
	assert.Less(t, len(told[1]), 350)
	assert.Equal(t, "a printed `leader election lost` at 30s.", told[2])

	again, err := replay.Replay(bytes.NewReader(p.record), nil, nil)
	require.NoError(t, err)
	assert.Equal(t, p.hash, again.Run.World.Hash().String())
	assert.Equal(t, p.findings, again.Conduct.Findings(again.Run.World, again.EndNs))
	assert.Equal(t, p.facts, again.Conduct.Around(0, again.EndNs, 0, 1))
	isShownAnywhere(t, p.record, p.hash)

	var silent []byte // as if the programs printed nothing, or as an older leaselab would have written it
	for _, line := range bytes.SplitAfter(p.record, []byte("\n")) {
		if !bytes.Contains(line, []byte(`"do":"prints"`)) {
			silent = append(silent, bytes.Replace(line, []byte(`,"exit":{"code":1}`), nil, 1)...)
		}
	}
	older, err := replay.Replay(bytes.NewReader(silent), nil, nil)
	require.NoError(t, err)
	assert.Equal(t, p.hash, older.Run.World.Hash().String())
	findings := older.Conduct.Findings(older.Run.World, older.EndNs)
	require.Len(t, findings, 1)
	assert.Equal(t, conduct.BySilence, findings[0].By)
	assert.Empty(t, older.Conduct.Around(0, older.EndNs, 0, 1))
}

// Work that goes on at the end of the run has not ended by itself, even if it is short.
func TestWorkThatHasNotEnded(t *testing.T) {
	p := play(t, "", func(c *programs.Cluster, a, _ *programs.Node) {
		hold(t, a, "POST")
		a.BeginsWork()
		c.Until(14 * time.Second)
		hold(t, a, "PATCH")
		c.Until(28 * time.Second)
		hold(t, a, "PATCH")
		c.Until(40 * time.Second)
		a.NotePrint("stopped leading")
		c.Until(59 * time.Second)
	})
	require.Len(t, p.findings, 2, "%v", p.findings)
	assert.Equal(t, []any{conduct.WorksOn, false, conduct.Silent},
		[]any{p.findings[0].Cause, p.findings[0].Ends, p.findings[1].Cause})
}

// The story names a signal that ends a process.
func TestASignalEndsAProcess(t *testing.T) {
	p := play(t, "", func(c *programs.Cluster, a, b *programs.Node) {
		hold(t, b, "POST")
		b.BeginsWork()
		for at := 5 * time.Second; at < time.Minute; at += 5 * time.Second {
			if c.Until(at); at == 20*time.Second {
				b.NoteExit(conduct.Exit{Code: -1, Signal: "segmentation fault"})
				break
			}
			hold(t, b, "PATCH")
			send(t, a, "GET", leases+"/demo", "")
		}
	})
	require.Len(t, p.facts, 1)
	assert.Equal(t, "b's process ended at 20s: a signal killed it (segmentation fault).", p.facts[0].Text("b", "20s"))
	assert.Contains(t, string(p.record), `"do":"crashes","node":"b","exit":{"code":-1,"signal":"segmentation fault"}`)
}

// A program that works in pieces works no longer than its Lease lasts if no piece follows.
func TestPiecesEndWithTheLease(t *testing.T) {
	for _, goesOn := range []bool{false, true} {
		p := play(t, "", func(c *programs.Cluster, a, b *programs.Node) {
			hold(t, a, "POST")
			for at := time.Second; at < time.Minute; at += time.Second {
				if c.Until(at); at < 10*time.Second || goesOn {
					a.Piece()
				}
				send(t, b, "GET", leases+"/demo", "")
			}
		})
		var causes []string
		for _, k := range p.findings {
			causes = append(causes, k.Cause.String())
		}
		assert.Equal(t, map[bool][]string{false: {"neverExits"}, true: {"worksOn"}}[goesOn], causes, fmt.Sprint(p.findings))
	}
}

// asks lets a node ask for the Lease every 2 s between two instants.
func asks(t *testing.T, c *programs.Cluster, n *programs.Node, from, until time.Duration) {
	t.Helper()
	for at := from; at <= until; at += 2 * time.Second {
		c.Until(at)
		send(t, n, "GET", leases+"/demo", "")
	}
}

// What a process owes depends on its life: a dead one shares no identity, a paused one may be silent, and one with the
// order to stop may finish in peace, but only for the 30 s that a kubelet grants.
func TestFindingsFollowTheLifeOfAProcess(t *testing.T) {
	for name, c := range map[string]struct {
		acts   string
		script func(c *programs.Cluster, a, b *programs.Node)
		want   string
	}{
		"the identity of a dead process": {"{at: 10s, act: crash, target: a}", func(c *programs.Cluster, a, b *programs.Node) {
			hold(t, a, "POST")
			c.Until(40 * time.Second)
			send(t, b, "PATCH", leases+"/demo", `{"spec":{"holderIdentity":"a","renewTime":"2026-01-01T00:00:07.000000Z"}}`)
		}, ""},
		"the identity of a living process": {"", func(c *programs.Cluster, a, b *programs.Node) {
			hold(t, a, "POST")
			c.Until(40 * time.Second)
			send(t, b, "PATCH", leases+"/demo", `{"spec":{"holderIdentity":"a","renewTime":"2026-01-01T00:00:07.000000Z"}}`)
			asks(t, c, a, 42*time.Second, 58*time.Second)
		}, "sameIdentity a"},
		"a label from another process": {"", func(c *programs.Cluster, a, b *programs.Node) {
			hold(t, a, "POST")
			c.Until(40 * time.Second)
			send(t, b, "PATCH", leases+"/demo", `{"metadata":{"labels":{"team":"x"}}}`)
			asks(t, c, a, 42*time.Second, 58*time.Second)
			asks(t, c, b, 59*time.Second, 59*time.Second)
		}, ""},
		"a zombie that dies": {"{at: 50s, act: crash, target: a}", func(c *programs.Cluster, a, b *programs.Node) {
			hold(t, a, "POST")
			asks(t, c, b, 2*time.Second, 58*time.Second)
		}, "neverExits a until 50s"},
		"killed after the grace period": {"{at: 20s, act: stop, target: a, grace: 5s}", func(c *programs.Cluster, a, b *programs.Node) {
			hold(t, a, "POST")
			asks(t, c, b, 2*time.Second, 58*time.Second)
		}, "stopIgnored a until 25s"},
		"an exit after the grace period": {"{at: 20s, act: stop, target: a}", func(c *programs.Cluster, a, b *programs.Node) {
			hold(t, a, "POST")
			asks(t, c, b, 2*time.Second, 54*time.Second)
			a.NoteExit(conduct.Exit{})
			asks(t, c, b, 56*time.Second, 58*time.Second)
		}, "stopIgnored a until 54.005s"},
		"no exit at all": {"{at: 20s, act: stop, target: a}", func(c *programs.Cluster, a, b *programs.Node) {
			hold(t, a, "POST")
			asks(t, c, b, 2*time.Second, 58*time.Second)
		}, "stopIgnored a until -1ns"},
		"an exit in time": {"{at: 20s, act: stop, target: a}", func(c *programs.Cluster, a, b *programs.Node) {
			hold(t, a, "POST")
			asks(t, c, b, 2*time.Second, 46*time.Second)
			a.NoteExit(conduct.Exit{})
			asks(t, c, b, 48*time.Second, 58*time.Second)
		}, ""},
		"a stop near the end": {"{at: 40s, act: stop, target: a}", func(c *programs.Cluster, a, b *programs.Node) {
			hold(t, a, "POST")
			asks(t, c, a, 2*time.Second, 20*time.Second)
			asks(t, c, b, 22*time.Second, 58*time.Second)
		}, ""},
		"pieces of work after a release": {"", func(c *programs.Cluster, a, b *programs.Node) {
			hold(t, a, "POST")
			for at := time.Second; at < 50*time.Second; at += 500 * time.Millisecond {
				switch c.Until(at); {
				case at < 20*time.Second:
					hold(t, a, "PATCH")
				case at == 20*time.Second:
					send(t, a, "PATCH", leases+"/demo", `{"spec":{"holderIdentity":null}}`)
				case at > 21*time.Second:
					hold(t, b, "PATCH")
					b.Piece() // when it begins, the work of the other ends, and begins again with its next piece
				}
				a.Piece()
			}
		}, "releasesEarly a until 50.505s"},
		"pieces of a long drain": {"", drains(t, 45*time.Second), "worksOn a until 46.1s, ends"},
		"pieces without an end":  {"", drains(t, time.Minute), "worksOn a until 1m0s"},
		"a paused process": {"{at: 10s, act: pause, target: a}", func(c *programs.Cluster, a, b *programs.Node) {
			hold(t, a, "POST")
			asks(t, c, b, 2*time.Second, 58*time.Second)
		}, ""},
		"a paused worker": {"{at: 10s, act: pause, target: a}", func(c *programs.Cluster, a, b *programs.Node) {
			hold(t, a, "POST")
			a.BeginsWork()
			asks(t, c, b, 2*time.Second, 58*time.Second)
		}, ""},
		"work after a pause": {"{at: 10s, act: pause, target: a, for: 35s}", func(c *programs.Cluster, a, b *programs.Node) {
			hold(t, a, "POST")
			a.BeginsWork()
			asks(t, c, b, 2*time.Second, 54*time.Second)
			a.EndsWork()
			asks(t, c, b, 56*time.Second, 58*time.Second)
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			found := ""
			for _, k := range play(t, c.acts, c.script).findings {
				found += k.Cause.String() + " " + string(rune('a'+k.Node))
				if k.Cause != conduct.SameIdentity {
					found += fmt.Sprint(" until ", time.Duration(k.UntilNs))
				}
				if k.Ends {
					found += ", ends"
				}
			}
			assert.Equal(t, c.want, found)
		})
	}
}
