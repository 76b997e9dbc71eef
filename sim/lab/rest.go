package lab

import (
	"fmt"
	"strings"
	"time"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/sim/compile"
	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/timeline"
	"github.com/leaselab/leaselab/sim/world"
)

// mirrored is the number of Lease versions that a watch can start from.
const mirrored = 4096

// Rest is a request to the run's API server. The server answers a read at the live cursor of the current branch, or
// at the cursor, without any effect on the run. A write that stores something becomes an act of the scenario.
type Rest struct {
	Method  string
	Target  string   // path with the query
	Headers []string // each "Name: value"
	Body    string
}

// api is the API server that answers the page's requests. It is a mirror: the same objects and revisions as the run's
// own server, without the run's network. A page that watches must not slow down candidates.
type api struct {
	run     int
	mirror  *world.Mirror
	watches map[int]*apiserver.Watch
	live    *timeline.State // the state at the live cursor when the last request came
	gone    map[int]bool    // watches of a branch that the session has left
	watch   int             // number of the last watch
}

// Rest answers a request. `now` is the real time, which decides when watches time out.
func (l *Lab) Rest(now time.Time, q Rest) (*protocol.RestAnswer, error) {
	a := scenario.Action{Act: scenario.ActRequest, Method: q.Method, Path: q.Target, Headers: q.Headers, Body: q.Body}
	r := compile.Request(&a)
	switch q.Method {
	case "POST", "PUT", "PATCH", "DELETE":
		return l.restWrite(a, r)
	}
	l.Follow()
	answer := l.api.mirror.Server.Handle(l.readClock(now, r), r)
	out := restAnswer(answer)
	if answer.Watch != nil {
		l.api.watch++
		l.api.watches[l.api.watch] = answer.Watch
		out.Watch = l.api.watch
	}
	return out, nil
}

// readClock returns the clock for a request. A watch gets real time, because of its timeout. Any other request gets
// the run's time, because its answer may show ages.
func (l *Lab) readClock(now time.Time, r *apiserver.Request) time.Time {
	if r.Watches() {
		return now
	}
	return world.Clock(l.history.live.T)
}

// Follow brings the API server up to the live cursor of the run, as every read does.
func (l *Lab) Follow() { l.api.follow(l.Look()) }

// `follow` brings the mirror up to the live cursor of a run. For another run it starts over, which ends the watches.
func (f *api) follow(look timeline.Look) {
	look.Run.Compute(look.Live.T)
	near := f.live
	if f.run != look.Run.ID() {
		near = nil
	}
	f.live = look.Run.AtNear(look.Live, near)
	w := f.live.World
	if f.mirror != nil && f.run == look.Run.ID() && f.mirror.Server.Revision() <= w.Store().Revision() &&
		f.mirror.Follows(w) {
		f.mirror.Follow(w)
		f.mirror.Show(look.Live.T)
		return
	}
	gone := f.gone
	if gone == nil {
		gone = map[int]bool{}
	}
	for id := range f.watches {
		gone[id] = true
	}
	*f = api{run: look.Run.ID(), mirror: w.NewMirror(mirrored), watches: map[int]*apiserver.Watch{}, gone: gone,
		watch: f.watch, live: f.live}
	f.mirror.Show(look.Live.T)
}

// goOn makes the API server follow another run that is identical up to the live cursor. Everything that the watches
// have sent stays valid.
func (f *api) goOn(from, to int) {
	if f.run == from {
		f.run, f.live = to, nil
	}
}

// RestPoll returns the new frames of a watch. When the session leaves a branch, its watches end with 410 Expired, as
// slow watches do, and their clients list again.
func (l *Lab) RestPoll(now time.Time, watch int) *protocol.RestFrames {
	l.Follow()
	f := &l.api
	w := f.watches[watch]
	if w == nil {
		frames := &protocol.RestFrames{Frames: []string{}, Ended: true}
		if f.gone[watch] {
			delete(f.gone, watch)
			frames.Frames = append(frames.Frames, apiserver.ExpiredFrame("the run continued in another branch"))
		}
		return frames
	}
	got, ended := f.mirror.Server.Poll(now, w)
	frames := &protocol.RestFrames{Frames: make([]string, 0, len(got)), Ended: ended}
	for _, frame := range got {
		frames.Frames = append(frames.Frames, string(frame))
	}
	if ended {
		delete(f.watches, watch)
	}
	return frames
}

// RestClose forgets a watch.
func (l *Lab) RestClose(watch int) {
	delete(l.api.watches, watch)
	delete(l.api.gone, watch)
}

// restWrite answers a write. First it tries the write on a copy of the state. A conflict or a malformed body changes
// nothing and needs no act; the answer is the one that kubectl would get. A write that stores something becomes an
// act. At the live cursor, the run continues with the act; in the past, the act starts a branch.
func (l *Lab) restWrite(a scenario.Action, r *apiserver.Request) (*protocol.RestAnswer, error) {
	if l.Record() != nil {
		return nil, ErrFact
	}
	s := l.stateAfterInstant()
	at := l.history.cursor.T + 1
	answer, wrote := s.World.API().Try(at, r)
	out := restAnswer(answer)
	if !wrote {
		return out, nil
	}
	a.At = scenario.Duration(at)
	path, _, _ := strings.Cut(a.Path, "?")
	if err := l.do(l.history.cursor, fmt.Sprintf("%s %s", a.Method, path[strings.LastIndexByte(path, '/')+1:]),
		[]scenario.Action{a}); err != nil {
		return nil, err
	}
	for l.search != nil { // the answer contains the stored object, so it needs the write's result
		l.GoOn()
	}
	out.Changed = true
	return out, nil
}

func restAnswer(r apiserver.Response) *protocol.RestAnswer {
	out := &protocol.RestAnswer{Status: r.Status, Headers: []string{}, Body: string(r.Whole().Body)}
	for _, h := range r.Header {
		out.Headers = append(out.Headers, h.Name+": "+h.Value)
	}
	return out
}
