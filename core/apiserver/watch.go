package apiserver

import (
	"time"

	"github.com/leaselab/leaselab/core/random"
	"github.com/leaselab/leaselab/core/storage"
	"github.com/leaselab/leaselab/core/wire"
)

// Watch is the position of a watch in the events of its server. The caller polls it after each write and at
// Server.NextDeadline. It is a value: a copy continues independently.
//
// Guarantee: a slow or disconnected client neither delays a request nor makes a buffer grow. The server stores
// each event only once. A watch that falls behind the stored events ends with the error "too old resource
// version". Source: apiserver v0.36 pkg/storage/cacher cacher.go Watch, cache_watcher.go; pkg/endpoints/handlers
// watch.go.
type Watch struct {
	call    call
	options listOptions
	scope   scope
	timeout time.Duration
	state   watchState

	from    uint64 // the requested revision
	freshBy time.Time
	refused *failure

	initial  []storage.Entry[*objectVersion] // initial objects still to send
	marked   bool                            // the watch has sent the bookmark after the initial events, or needs none
	position uint64                          // the watch has sent events up to this revision
	begun    int64                           // the server's revision when the watch began
	floor    uint64                          // a bookmark up to this revision would say nothing new
	end      time.Time
	bookmark time.Time // time of the next bookmark, or zero
}

// watchState is what a watch does next.
type watchState uint8

const (
	waiting watchState = iota // waits for a revision
	following
	over
)

// pollMost is the maximum number of initial objects or events that one Poll reads.
const pollMost = 1024

// pollBytes is the number of bytes after which a Poll ends, even before pollMost.
const pollBytes = 1 << 20

// watch answers with a cursor.
// Source: apiserver v0.36 pkg/endpoints/handlers get.go handleWatch.
func (c *call) watch() Response {
	o, f := c.listOptions()
	if f != nil {
		return c.sendFailure(f)
	}
	from, err := parseListRevision(o.revision)
	if err != nil {
		return c.sendFailure(internal("%s", err))
	}
	if f := c.res.keyFault(c.namespace, ""); f != nil {
		return c.sendFailure(f)
	}
	if o.revision == "" && o.initial != nil {
		from = uint64(c.store.Revision())
	}
	w := &Watch{call: *c, options: *o, scope: c.scope(o, false), from: from,
		timeout: time.Duration(o.timeout) * time.Second}
	if f := c.affordableSelector(o, &w.scope); f != nil {
		return c.sendFailure(f)
	}
	if w.timeout == 0 {
		w.timeout = c.patience(c.now)
	}
	switch {
	case w.timeout < 0:
		w.state = over
	case w.sendsInitial() && from > uint64(c.store.Revision()):
		w.freshBy = c.now.Add(freshWait)
	default:
		w.begin(c.Server, c.now)
	}
	if f := c.form.streams(); f != nil {
		return c.sendFailure(f)
	}
	r := c.respond(200, jsonMedia, nil)
	r.Watch = w
	return r
}

// patience returns how long a watch without a timeout stays open: 30 minutes to an hour. It derives from the
// time, not from the server's random numbers, because a read must not change the numbers that writes draw.
func (s *Server) patience(now time.Time) time.Duration {
	const least = 1800
	mixed := random.New(s.config.Seed ^ uint64(now.UnixNano()))
	return time.Duration(least+mixed.Uint64()%least) * time.Second
}

// sendsInitial reports whether the watch begins with the current state, by request or by default.
func (w *Watch) sendsInitial() bool { return w.options.initial != nil && *w.options.initial }

// isList reports whether the watch replaces a list: the client waits for the bookmark that marks the end of the current
// state.
func (w *Watch) isList() bool { return w.sendsInitial() && w.options.bookmarks }

// begin finds the events to start from.
// Source: apiserver v0.36 pkg/storage/cacher watch_cache.go getAllEventsSinceLocked.
func (w *Watch) begin(s *Server, now time.Time) {
	revision := s.store.Revision()
	w.state, w.begun, w.end, w.marked = following, revision, now.Add(w.timeout), !w.isList()
	w.scheduleFirst(now)
	w.position = w.from
	switch {
	case w.sendsInitial(), w.from == 0 && w.options.initial == nil:
		w.call.Server = s
		w.call.walk(&w.scope, revision, "", func(e storage.Entry[*objectVersion]) bool {
			if w.shows(&e) {
				w.initial = append(w.initial, e)
			}
			return true
		})
		w.position = uint64(revision)
	case w.from == 0:
		w.position = uint64(revision)
	}
	w.floor = w.position
}

// End returns the latest time at which the watch ends, or the zero time while it waits for its revision.
func (w *Watch) End() time.Time { return w.end }

// Poll returns the frames due at a time, and whether the watch has ended. If it leaves frames that are already due,
// NextDeadline returns the zero time.
func (s *Server) Poll(now time.Time, w *Watch) (frames [][]byte, ended bool) {
	c := &w.call
	c.Server, c.now = s, now
	if w.state == waiting {
		switch {
		case uint64(s.store.Revision()) >= w.from:
			w.begin(s, now)
		case now.Before(w.freshBy):
			return nil, false
		default:
			w.refused, w.state = c.tooLarge(w.from), following
		}
	}
	if w.state == over {
		return nil, true
	}
	frames = w.dueFrames(now)
	if len(frames) > 0 && c.form.as == "PartialObjectMetadataList" {
		// an object that is not a list, so the watch cannot send it
		frames, w.state = nil, over
	}
	switch {
	case w.refused != nil:
		w.state = over
		frames = append(frames, frame("ERROR", wire.Encode(nil, w.refused.status(), statusType)))
	case !now.Before(w.end):
		w.state = over
	}
	return frames, w.state == over
}

// dueFrames returns the due initial objects, or else events, or else a bookmark.
func (w *Watch) dueFrames(now time.Time) (frames [][]byte) {
	if w.refused != nil {
		return nil
	}
	c, store := &w.call, w.call.store
	size := 0
	for i := range w.initial {
		if i == pollMost || size > pollBytes {
			w.initial = w.initial[i:]
			return frames
		}
		f := frame("ADDED", c.frameObject(storedOf(w.initial[i])))
		frames, size = append(frames, f), size+len(f)
	}
	w.initial = nil
	if !w.marked {
		w.marked = true
		frames = append(frames, w.bookmarkFrame(w.begun, true))
	}
	if w.position < uint64(store.Oldest()) {
		w.refused = fail(410, "Expired", "too old resource version: %d (%d)", w.position, store.Oldest())
		return frames
	}
	if w.position < uint64(store.Revision()) {
		frames = w.tell(frames)
	}
	if w.position < uint64(store.Revision()) {
		return frames
	}
	if !w.bookmark.IsZero() && !now.Before(w.bookmark) && w.bookmark.Before(w.end) {
		if revision := store.Revision(); uint64(revision) > w.floor || c.marksIdle() {
			frames = append(frames, w.bookmarkFrame(revision, false))
		}
		w.scheduleNext(w.bookmarkTime(now))
	}
	return frames
}

// tell turns events into frames, up to the number that one Poll may send.
func (w *Watch) tell(frames [][]byte) [][]byte {
	c, store := &w.call, w.call.store
	events, size := store.After(int64(w.position), pollMost), 0
	for i := range events {
		if size > pollBytes {
			return frames
		}
		e := &events[i]
		w.position = uint64(e.Revision)
		if !w.scope.has(e.Key) {
			continue
		}
		if e.Revision <= w.begun {
			w.floor = max(w.floor, w.position)
		}
		if kind, o := w.selectEvent(e); kind != "" {
			f := c.frame(kind, o)
			frames, size = append(frames, f), size+len(f)
		}
	}
	if len(events) < pollMost {
		w.position = uint64(store.Revision())
	}
	return frames
}

// selectEvent returns an event as the selectors show it. An object that leaves the selection appears as deleted, with
// its old contents and the event's revision; one that enters appears as added. Source: apiserver v0.36
// pkg/storage/cacher cache_watcher.go convertToWatchEvent.
func (w *Watch) selectEvent(e *storage.Event[*objectVersion]) (kind string, o storedObject) {
	before := e.Old != nil && w.shows(e.Old)
	after := e.New != nil && w.shows(e.New)
	switch {
	case after && before:
		return "MODIFIED", storedOf(*e.New)
	case after:
		return "ADDED", storedOf(*e.New)
	case before:
		return "DELETED", storedObject{object: e.Old.Value.read(), revision: e.Revision}
	}
	return "", storedObject{}
}

// shows reports whether the selectors select a version.
func (w *Watch) shows(e *storage.Entry[*objectVersion]) bool {
	return w.options.selectsAll() || w.options.matches(e.Value.read())
}

// sharedFrame is a frame that all watches of one resource in one version send.
type sharedFrame struct {
	kept    *objectVersion
	version *version
	event   string
	frame   []byte
}

const (
	// mostFrames is how many frames the server keeps for watches that have not sent them yet. longestFrame is the
	// length of the longest frame that it keeps. A Lease's frame takes about 600 bytes.
	mostFrames   = 512
	longestFrame = 2 << 10
)

// frame returns the frame of an event. It encodes a frame once for all watches. If the object is too long to keep, or
// in another form, each watch encodes its own.
func (c *call) frame(event string, o storedObject) []byte {
	if c.form.as != "" || o.kept == nil {
		return frame(event, c.frameObject(o))
	}
	last := &c.frames[o.revision%mostFrames]
	if last.kept != o.kept || last.version != c.version || last.event != event {
		made := frame(event, c.frameObject(o))
		if len(made) > longestFrame {
			return made
		}
		*last = sharedFrame{o.kept, c.version, event, made}
	}
	return last.frame
}

// frame returns one line of a watch.
func frame(kind string, object []byte) []byte {
	out := make([]byte, 0, len(object)+40)
	out = append(append(append(out, `{"type":"`...), kind...), `","object":`...)
	return append(append(out, object...), '}', '\n')
}

// bookmarkFrame returns the frame that confirms that the watch has sent everything up to a revision.
func (w *Watch) bookmarkFrame(revision int64, initialEnd bool) []byte {
	empty, _, err := wire.Decode(&wire.Node{Kind: wire.ObjectKind}, w.call.res.storageVersion().kind)
	if err != nil {
		panic(err) // an object without members has no member of a wrong type
	}
	if initialEnd {
		wire.Set(empty, wire.Map{"k8s.io/initial-events-end": "true"}, "metadata", "annotations")
	}
	return frame("BOOKMARK", w.call.frameObject(storedObject{object: empty, revision: revision}))
}

// The time between bookmarks, and between the last bookmark and the end of a watch.
const (
	bookmarkEvery  = time.Minute
	bookmarkBefore = 2 * time.Second
	bookmarkTick   = time.Second
)

// scheduleFirst plans the first bookmark. If the watch replaces a list, the first bookmark is due at once, because
// the client waits for it. Source: apiserver v0.36 pkg/storage/cacher cache_watcher.go nextBookmarkTime.
func (w *Watch) scheduleFirst(now time.Time) {
	switch {
	case !w.options.bookmarks:
	case w.isList():
		w.bookmark = now.Add(bookmarkTick)
	default:
		w.scheduleNext(now)
	}
}

// scheduleNext plans the next bookmark after the one just sent. If the next one is due now, it comes a second later,
// because the server checks once a second.
func (w *Watch) scheduleNext(now time.Time) {
	next, last := now.Add(bookmarkEvery), w.end.Add(-bookmarkBefore)
	if last.Before(next) {
		next = last
	}
	switch {
	case next.Before(now):
		next = time.Time{}
	case next.Equal(now):
		next = now.Add(bookmarkTick)
	}
	w.bookmark = next
}

// bookmarkTime returns the instant at which the bookmark being sent was due. If the poll comes a full check later, it
// returns the time of the poll instead.
func (w *Watch) bookmarkTime(now time.Time) time.Time {
	if now.Sub(w.bookmark) < bookmarkTick {
		return w.bookmark
	}
	return now
}

// NextDeadline returns the first time at which a Poll has frames even without a write. The zero time means at once.
func (s *Server) NextDeadline(w *Watch) time.Time {
	switch {
	case w.state == waiting && uint64(s.store.Revision()) < w.from:
		return w.freshBy
	case w.state != following, w.refused != nil, len(w.initial) > 0, !w.marked, w.position < uint64(s.store.Revision()):
		return time.Time{}
	case !w.bookmark.IsZero() && w.bookmark.Before(w.end):
		return w.bookmark
	}
	return w.end
}
