package network

// None is the endpoint of a server that rules cannot name.
const None = int32(-3)

// Never is an instant that never comes.
const Never = int64(1<<63 - 1)

// ServerState says how a server answers a connection.
type ServerState uint8

const (
	Serving ServerState = iota
	Silent              // the server keeps its connections but says nothing
	Gone                // the server refuses connections
)

// Link is the connection between a client and its server.
type Link struct {
	Client   int32 // the endpoint that rules name
	Server   int32 // the server's endpoint, or None
	Queue    int32 // index of the server
	State    ServerState
	Loopback bool  // the connection stays inside one process, so cuts do not stop it
	SilentNs int64 // when the server became Silent
	OpenedNs int64
	HeardNs  int64 // when the last frame came back
}

// Open gives the link a new connection.
func (l *Link) Open(now int64) { l.OpenedNs, l.HeardNs = now, now }

// A client finds its connection dead as follows. After two thirds of deadPeerNs without a frame it sends a ping.
// If nothing comes back during the remaining third, it opens a new connection, to the next server if it has
// several. Source: apimachinery v0.36 util/net http.go, ReadIdleTimeout 30s and PingTimeout 15s.

// DeadAtNs returns when the client finds out about a connection that died at fromNs. Answers to pings before fromNs
// count as frames.
func (l *Link) DeadAtNs(fromNs, deadPeerNs int64) int64 {
	idle := max(deadPeerNs/3*2, 1)
	heard := l.HeardNs
	if fromNs > heard {
		heard += (fromNs - heard) / idle * idle
	}
	return heard + deadPeerNs
}

// isDead reports whether the connection is dead, and since when. On a dead connection, nothing gets to the server and
// back. A cut that lets some messages through does not make the connection dead.
func (r *Rules) isDead(now int64, l *Link) (fromNs int64, dead bool) {
	for i := range r.cuts {
		c := &r.cuts[i]
		if !c.Refuse && c.Chance == 0 && (c.stops(now, l, Up) || c.stops(now, l, Down)) {
			return c.FromNs, true
		}
	}
	return l.SilentNs, l.State == Silent
}

// FoundDead reports whether a client that is about to send has found its connection dead, and therefore opens a
// new one first.
func (r *Rules) FoundDead(now int64, l *Link, deadPeerNs int64) bool {
	if deadPeerNs == 0 {
		return false
	}
	from, dead := r.isDead(now, l)
	return dead && now >= l.DeadAtNs(from, deadPeerNs)
}

// GivesUpNs returns the instant at which a waiting client finds its connection dead, or Never if the connection is
// alive.
func (r *Rules) GivesUpNs(now int64, l *Link, deadPeerNs int64) int64 {
	if deadPeerNs == 0 {
		return Never
	}
	from, dead := r.isDead(now, l)
	if !dead {
		return Never
	}
	return max(l.DeadAtNs(from, deadPeerNs), now)
}
