package apiserver

import (
	"time"

	"github.com/leaselab/leaselab/core/random"
	"github.com/leaselab/leaselab/core/storage"
	"github.com/leaselab/leaselab/core/wire"
)

// Watch is the position of a watch in the events of its server. The caller polls it after each write and at
// Server.NextDeadline. It is a value: a copy continues independently. A caller that shares the server with others polls
// in two steps: Server.Look needs the server, and Watch.Frames, which encodes, does not.
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

	initial  storage.View[*objectVersion] // the initial objects
	next     string                       // the first key of the initial objects still to send; "" if none
	marked   bool                         // the watch has sent the bookmark after the initial events, or needs none
	position uint64                       // the watch has sent events up to this revision
	begun    int64                        // the server's revision when the watch began
	floor    uint64                       // a bookmark up to this revision would say nothing new
	end      time.Time
	bookmark time.Time // time of the next bookmark, or zero

	revision, oldest int64 // the server's at the last Look
	events           []storage.Event[*objectVersion]
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
	case w.timeout < 0 && o.revision == "" && o.initial != nil: // upstream asks etcd for its revision
		w.refused, w.state = fail(500, "InternalError", "context deadline exceeded"), following
	case w.timeout < 0:
		w.state = over
	case w.sendsInitial() && from > uint64(c.store.Revision()):
		w.freshBy = c.now.Add(freshWait)
	default:
		w.begin(c.Server, c.now)
	}
	if c.form.as == "Table" {
		f = c.r.includes()
	}
	if f == nil {
		f = c.form.streams()
	}
	if f != nil {
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
		w.initial, w.next = s.store.View(revision), w.scope.first()
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
	s.Look(now, w)
	return w.Frames(&s.frames, pollBytes)
}

// Look is the part of a Poll that needs the server.
func (s *Server) Look(now time.Time, w *Watch) {
	c := &w.call
	c.Server, c.now = s, now
	c.today = c.todayIs()
	if w.state == waiting {
		switch {
		case uint64(s.store.Revision()) >= w.from:
			w.begin(s, now)
		case !now.Before(w.freshBy):
			w.refused, w.state = c.tooLarge(w.from), following
		}
	}
	w.revision, w.oldest = s.store.Revision(), s.store.Oldest()
	w.events = s.store.After(int64(w.position), pollMost)
}

// Frames returns the frames that a Poll returns after Look, and whether the watch has ended. It stops after about that
// many bytes. It takes frames that another watch has already encoded from the argument "shared".
func (w *Watch) Frames(shared *SharedFrames, bytes int) (frames [][]byte, ended bool) {
	if w.state == waiting || w.state == over {
		return nil, w.state == over
	}
	batch := batch{shared: shared, left: bytes}
	w.dueFrames(&batch)
	frames = batch.frames
	if len(frames) > 0 && w.call.form.as == "PartialObjectMetadataList" {
		// an object that is not a list, so the watch cannot send it
		frames, w.state = nil, over
	}
	switch {
	case w.refused != nil:
		w.state = over
		frames = append(frames, frame("ERROR", wire.Encode(nil, w.refused.status(), statusType)))
	case !w.call.now.Before(w.end):
		w.state = over
	}
	return frames, w.state == over
}

// batch is the frames of one Poll.
type batch struct {
	shared *SharedFrames
	frames [][]byte
	left   int // how many more bytes it may get; a batch ends with the frame that exceeds them
}

func (b *batch) add(frame []byte) { b.frames, b.left = append(b.frames, frame), b.left-len(frame) }

// dueFrames adds the due initial objects, or else events, or else a bookmark.
func (w *Watch) dueFrames(b *batch) {
	if w.refused != nil || w.tellInitial(b) {
		return
	}
	if !w.marked {
		w.marked = true
		b.add(w.bookmarkFrame(w.begun, true))
	}
	if w.position < uint64(w.oldest) {
		w.refused = fail(410, "Expired", "too old resource version: %d (%d)", w.position, w.oldest)
		return
	}
	if w.position < uint64(w.revision) {
		w.tell(b)
	}
	if w.position < uint64(w.revision) {
		return
	}
	if now := w.call.now; !w.bookmark.IsZero() && !now.Before(w.bookmark) && w.bookmark.Before(w.end) {
		if uint64(w.revision) > w.floor || w.call.marksIdle() {
			b.add(w.bookmarkFrame(w.revision, false))
		}
		w.scheduleNext(w.bookmarkTime(now))
	}
}

// first returns the first key that the scope may contain.
func (s *scope) first() string {
	if s.key != "" {
		return s.key
	}
	return s.prefix
}

// tellInitial adds initial objects, up to the number that one Poll may send. It reports whether more remain.
func (w *Watch) tellInitial(b *batch) (more bool) {
	if w.next == "" {
		return false
	}
	read := 0
	w.initial.Range(w.scope.first(), w.next, func(e storage.Entry[*objectVersion]) bool {
		if more = read == pollMost || b.left < 0; more {
			w.next = e.Key
		}
		if more || !w.scope.has(e.Key) {
			return false
		}
		if read++; w.shows(&e) {
			b.add(w.call.frame("ADDED", storedOf(e), b.shared))
		}
		return true
	})
	if !more {
		w.initial, w.next = storage.View[*objectVersion]{}, ""
	}
	return more
}

// tell turns events into frames, up to the number that one Poll may send.
func (w *Watch) tell(b *batch) {
	for i := range w.events {
		if b.left < 0 {
			return
		}
		e := &w.events[i]
		w.position = uint64(e.Revision)
		if !w.scope.has(e.Key) {
			continue
		}
		if e.Revision <= w.begun {
			w.floor = max(w.floor, w.position)
		}
		if kind, o := w.selectEvent(e); kind != "" {
			b.add(w.call.frame(kind, o, b.shared))
		}
	}
	if len(w.events) < pollMost {
		w.position = uint64(w.revision)
	}
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
		return "DELETED", storedObject{object: e.Old.Value.read(), revision: e.Revision, kept: e.Old.Value}
	}
	return "", storedObject{}
}

// shows reports whether the selectors select a version.
func (w *Watch) shows(e *storage.Entry[*objectVersion]) bool {
	return w.options.selectsAll() || w.options.matches(e.Value.read())
}

// SharedFrames keeps the frames of the last events, so that watches of equal form encode each of them once. Only one
// caller at a time may use it.
type SharedFrames struct {
	// Encoded counts the frames of objects that were encoded.
	Encoded int

	frames map[frameForm][]byte
	order  []frameForm // oldest first
	bytes  int
}

// frameForm is an event in the form of a watch. Frames of equal form are equal. The field second is 0 unless the frame
// shows an age.
type frameForm struct {
	kept                  *objectVersion
	revision, second      int64
	version               *version
	event                 string
	as, asVersion, object string
	headed                bool
}

// mostFrames and mostFrameBytes limit the frames to keep. A Lease's frame takes about 600 bytes.
const (
	mostFrames     = 1024
	mostFrameBytes = 4 << 20
)

// frame returns the frame of an object.
func (c *call) frame(event string, o storedObject, shared *SharedFrames) []byte {
	form := frameForm{kept: o.kept, revision: o.revision, version: c.version, event: event, as: c.form.as,
		asVersion: c.form.asVersion}
	if c.form.as == "Table" {
		form.object, form.second, form.headed = c.r.param("includeObject"), c.today.Unix(), c.form.headed
	}
	made, has := shared.frames[form]
	if !has {
		made = frame(event, c.frameObject(o))
		shared.keep(form, made)
	}
	c.form.headed = true
	return made
}

func (s *SharedFrames) keep(form frameForm, made []byte) {
	if s.frames == nil {
		s.frames = map[frameForm][]byte{}
	}
	s.Encoded++
	s.frames[form], s.order, s.bytes = made, append(s.order, form), s.bytes+len(made)
	for len(s.order) > mostFrames || s.bytes > mostFrameBytes {
		s.bytes -= len(s.frames[s.order[0]])
		delete(s.frames, s.order[0])
		s.order = s.order[1:]
	}
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
	w.revision = s.store.Revision()
	return w.Due()
}

// Due is NextDeadline for writes up to the last Look.
func (w *Watch) Due() time.Time {
	switch {
	case w.state == waiting && uint64(w.revision) < w.from:
		return w.freshBy
	case w.state != following, w.refused != nil, w.next != "", !w.marked, w.position < uint64(w.revision):
		return time.Time{}
	case !w.bookmark.IsZero() && w.bookmark.Before(w.end):
		return w.bookmark
	}
	return w.end
}
