package world_test

import (
	"testing"

	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// takeover is the instant at which a candidate other than the first leader starts leading, -1 if none does.
func takeover(records []trace.Record) int64 {
	first := int32(-1)
	for _, r := range records {
		if r.Kind == trace.StartedLeading {
			if first >= 0 && r.Candidate != first {
				return r.At
			}
			first = r.Candidate
		}
	}
	return -1
}

const twoServers = `"apiServers":[{"name":"api-1"},{"name":"api-2"}],"elector":{"leaseDuration":"25s"},
	"candidates":[{"name":"a","apiServer":"api-1","startAt":"3s"},{"name":"b","apiServer":"api-2","startAt":"4s"}]`

// B36: an API server stops, and then the leader. The standby's polls hang for 45 s, then it asks the other server and
// sees the record for the first time since: leaseDuration comes on top. A client that never gives its connection up
// never leads; a client of the other server takes over in time.
func TestDeadPeers(t *testing.T) {
	off := `,"actions":[{"at":"30s","act":"pause","target":"api-2"},{"at":"35s","act":"crash","target":"a"}]`
	run := func(network, rest string) (*world.World, []trace.Record) {
		return all(parse(t, "5m", twoServers+`,"network":{`+network+`}`+rest))
	}
	w, records := run(`"deadPeerTime":"45s"`, off)
	var moved []trace.Record
	for _, r := range records {
		if r.Kind == trace.Reconnected {
			moved = append(moved, r)
		}
	}
	require.Len(t, moved, 1)
	assert.Equal(t, "api-1", w.Node(moved[0].Connection().Server).Name())
	assert.Equal(t, moved[0].Connection().Server, w.Node(moved[0].Candidate).Peer())
	assert.InDelta(t, 30+45, float64(moved[0].At)/1e9, 8,
		"the last answer is up to 4.4 s old, the next try up to 4.4 s away, and a hanging one takes 5")
	at := takeover(records)
	assert.GreaterOrEqual(t, at, moved[0].At+24*sec)
	assert.Less(t, at, moved[0].At+30*sec)

	_, records = run(``, off)
	assert.Equal(t, int64(-1), takeover(records))
	_, records = run(`"deadPeerTime":"45s"`, `,"actions":[{"at":"30s","act":"crash","target":"a"}]`)
	assert.Less(t, takeover(records), 65*sec, "the neighbor: only the leader dies")
	_, records = run(`"deadPeerTime":"45s"`,
		`,"actions":[{"at":"30s","act":"crash","target":"a"},{"at":"30s","act":"crash","target":"api-2"}]`)
	assert.Less(t, takeover(records), 65*sec, "a server that refuses is left at once")
}

// A dead connection ends a request of a client without a timeout.
func TestDeadConnectionsEndRequests(t *testing.T) {
	last := func(network string) (at int64, result step.Result) {
		_, records := all(parse(t, "200s",
			`"elector":{"requestTimeout":"0s","renewDeadline":"100s","leaseDuration":"150s"},"candidates":[{"name":"a"}],"network":{`+network+`},
			"actions":[{"at":"30s","act":"cut","target":"a","mode":"connection"}]`))
		for _, r := range records {
			if r.Kind == trace.RequestEnded && r.At > 30*sec {
				return r.At, r.Result
			}
		}
		return -1, 0
	}
	at, result := last(`"deadPeerTime":"45s"`)
	assert.InDelta(t, 75, float64(at)/1e9, 2.1)
	assert.Equal(t, step.ClientTimeout, result)
	at, _ = last(``)
	assert.InDelta(t, 130, float64(at)/1e9, 2.1, "renewDeadline ends it")
}

// A cut of connections does not stop a new connection; a cut of the network does.
func TestNewConnectionsWork(t *testing.T) {
	good := func(mode, dead string) (n int) {
		_, records := all(parse(t, "120s", `"candidates":[{"name":"a"}],"network":{"deadPeerTime":"`+dead+
			`"},"actions":[{"at":"30s","act":"cut","target":"*","mode":"`+mode+
			`"}],"elector":{"renewDeadline":"80s","leaseDuration":"100s"}`))
		for _, r := range records {
			if r.Kind == trace.RequestEnded && r.At > 31*sec && r.Result == step.Success {
				n++
			}
		}
		return n
	}
	assert.Positive(t, good("connection", "20s"))
	assert.Zero(t, good("connection", "0s"))
	assert.Zero(t, good("drop", "20s"))
}

// A cut of an API server cuts off the clients connected to it, and no others.
func TestCutOfAnAPIServer(t *testing.T) {
	w, records := all(
		parse(t, "60s",
			`"apiServers":[{"name":"api-1"},{"name":"api-2"}],"candidates":[{"name":"a","apiServer":"api-1"},{"name":"b","apiServer":"api-2"}],
		"actions":[{"at":"20s","act":"cut","target":"api-1"}]`))
	late := map[string]int{}
	for _, r := range records {
		if r.Kind == trace.RequestServed && r.At > 21*sec {
			late[w.Node(r.Candidate).Name()]++
		}
	}
	assert.Zero(t, late["a"])
	assert.Positive(t, late["b"])
}

// Reads from a cache that lags are as old as the lag. Writes are not: they conflict. Without a lag a read is current.
func TestStaleReads(t *testing.T) {
	for _, lag := range []int64{0, 3} {
		_, records := all(parse(t, "60s",
			`"candidates":[{"name":"a"},{"name":"b","startAt":"1s","network":{"readLag":"`+
				map[int64]string{0: "0s", 3: "3s"}[lag]+`"}}]`))
		stored := []trace.Record{}
		reads := 0
		for _, r := range records {
			if r.Kind != trace.RequestServed {
				continue
			}
			if r.Verb != elector.Get {
				stored = append(stored, r)
				continue
			}
			if r.Candidate != 1 || r.At < 10*sec {
				continue
			}
			reads++
			want := int64(0)
			for _, s := range stored {
				if s.At <= r.At-lag*sec {
					want = s.ResourceVersion
				}
			}
			assert.Equal(t, want, r.ResourceVersion, "lag %d, at %d", lag, r.At)
		}
		assert.Greater(t, reads, 8)
	}
}
