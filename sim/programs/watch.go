package programs

import (
	"context"
	"io"
	"math"
	"net/http"
	"sync"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/sim/programs/replay"
	"github.com/leaselab/leaselab/sim/world"
)

// stream is one watch of a program, from the server to the reader of the response's body. Its events cross the
// network one by one, but arrive in order, as over one connection.
type stream struct {
	node  *Node
	watch *apiserver.Watch
	sent  int            // events that have left the server
	came  map[int][]byte // events that have arrived before an earlier event, by their position
	next  int            // position of the next event for the body
	over  bool           // the server sends nothing more

	mu    sync.Mutex
	ready chan struct{}
	bytes []byte
	err   error // error to return after bytes
	quiet bool  // the process has crashed, so neither bytes nor an error arrive
}

// event is one event of a watch in flight.
type event struct {
	stream *stream
	place  int
	frame  []byte // if nil, ends the watch
}

func newStream(n *Node, w *apiserver.Watch) *stream {
	return &stream{node: n, watch: w, came: map[int][]byte{}, ready: make(chan struct{}, 1)}
}

// tellStreams sends the events for all writes since the last call.
func (c *Cluster) tellStreams() {
	if c.desk.Follow(c.run.World) {
		for _, s := range c.streams {
			s.end(io.ErrUnexpectedEOF)
		}
		c.streams = nil
	}
	if len(c.streams) == 0 {
		return
	}
	if revision := c.run.World.Store().Revision(); revision != c.polled {
		c.polled = revision
		c.pollStreams()
	}
}

// pollStreams sends the due events.
func (c *Cluster) pollStreams() {
	c.desk.Mirror.Follow(c.run.World)
	c.desk.Mirror.Show(c.run.World.Now())
	now := world.Clock(c.run.World.Now())
	kept := c.streams[:0]
	for _, s := range c.streams {
		for !s.over {
			frames, ended := c.desk.Mirror.Server.Poll(now, s.watch)
			for _, frame := range frames {
				c.sendEvent(s, frame)
			}
			if ended {
				c.sendEvent(s, nil)
				s.over = true
			}
			if due := c.desk.Mirror.Server.NextDeadline(s.watch); !due.IsZero() || ended {
				break
			}
		}
		if !s.over {
			kept = append(kept, s)
		}
	}
	c.streams = kept
}

func (c *Cluster) sendEvent(s *stream, frame []byte) {
	c.numbered++
	c.events[c.numbered] = event{stream: s, place: s.sent, frame: frame}
	s.sent++
	c.atNs = c.run.World.Now()
	c.carry(replay.Call{Do: replay.CallEvent, Node: s.node.index, Number: c.numbered})
}

// framesDueNs returns the instant of the next event that needs no write, such as a bookmark.
func (c *Cluster) framesDueNs() int64 {
	due := int64(math.MaxInt64)
	for _, s := range c.streams {
		at := c.desk.Mirror.Server.NextDeadline(s.watch)
		if at.IsZero() {
			return c.run.World.Now()
		}
		due = min(due, at.UnixNano()-world.EpochUnixNs)
	}
	return due
}

// `receive` handles an event at the client. The caller holds the cluster's lock. The simulated network may deliver two
// events in the wrong order; a TCP connection would not. So an early event waits for the events before it.
func (s *stream) receive(place int, frame []byte) {
	s.came[place] = frame
	for {
		frame, has := s.came[s.next]
		if !has {
			return
		}
		delete(s.came, s.next)
		s.next++
		if frame == nil {
			s.end(io.EOF)
			return
		}
		s.mu.Lock()
		if s.err == nil {
			s.bytes = append(s.bytes, frame...)
		}
		s.mu.Unlock()
		s.wake()
	}
}

// `end` ends the stream. The caller holds the cluster's lock.
func (s *stream) end(err error) {
	s.over = true
	s.fail(err)
}

// `fail` makes the stream's reader get an error.
func (s *stream) fail(err error) {
	s.mu.Lock()
	if s.err == nil && !s.quiet {
		s.err = err
	}
	s.mu.Unlock()
	s.wake()
}

// silence ends the stream without telling its reader.
func (s *stream) silence() {
	s.over = true
	s.mu.Lock()
	s.quiet = true
	s.mu.Unlock()
}

func (s *stream) wake() {
	select {
	case s.ready <- struct{}{}:
	default:
	}
}

// streamBody is the body of the response to a watch.
type streamBody struct {
	*stream
	ctx context.Context
}

func (b *streamBody) Read(p []byte) (int, error) {
	for {
		b.mu.Lock()
		if len(b.bytes) > 0 && !b.quiet {
			n := copy(p, b.bytes)
			b.bytes = b.bytes[n:]
			b.mu.Unlock()
			return n, nil
		}
		err := b.err
		b.mu.Unlock()
		if err != nil {
			return 0, err
		}
		select {
		case <-b.ready:
		case <-b.ctx.Done():
			return 0, b.ctx.Err()
		case <-b.node.c.closed:
			return 0, errOver
		}
	}
}

// Close ends the watch at the server.
func (b *streamBody) Close() error {
	if b.node.c.isOver.Load() {
		return nil
	}
	b.fail(http.ErrBodyReadAfterClose)
	b.node.c.post(b.node, func() { b.over = true })
	return nil
}
