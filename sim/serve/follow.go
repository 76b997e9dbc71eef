package serve

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/sim/scenario"
)

// followBounds limit the acts that a simulation keeps for pages that replay it: their bytes, and their number, which
// is the limit of a scenario. They also limit, approximately, the bytes of acts in one answer; the next answer has
// more.
type followBounds struct{ bytes, acts, answer int }

var kept = followBounds{bytes: 64 << 20, acts: scenario.MaxActions, answer: 1 << 20}

// Followed contains what a page needs to replay a running simulation. With these acts, the page makes the same run as
// the server up to NowNs, with the same hash.
type Followed struct {
	NowNs int64
	Hash  string            // "" if the answer lacks some acts; then NowNs is the last instant before them
	Acts  []scenario.Action // the acts that the page does not have yet
	Over  string            // why the acts end before the run does, in a sentence; "" if they don't
}

// Follow returns the state of a backend that is a Simulation. The argument have says how many of the first acts it
// leaves out. For any other backend, ok is false.
func (h *Handler) Follow(have int) (f Followed, ok bool) {
	s, simulates := h.backend.(*Simulation)
	if !simulates {
		return f, false
	}
	h.WithLock(func() {
		s.Advance()
		f = Followed{NowNs: s.now, Hash: s.world.Hash().String(), Over: s.followed.over}
		if f.Over != "" {
			f.NowNs, f.Hash = s.followed.endNs, ""
		}
		more := s.followed.acts[min(max(have, 0), len(s.followed.acts)):]
		bytes := 0
		for k := range more {
			if bytes += actBytes(&more[k]); k > 0 && bytes > s.followed.bounds.answer && more[k].At > more[k-1].At {
				f.NowNs, f.Hash, more = int64(more[k].At)-1, "", more[:k]
				break
			}
		}
		f.Acts = slices.Clone(more)
	})
	return f, true
}

// `followed` holds the acts of a simulation since it began.
type followed struct {
	bounds followBounds
	acts   []scenario.Action
	bytes  int
	over   string
	endNs  int64 // if over: the last instant before the first missing act
}

// add keeps a write as an act. If it cannot keep a write, it also keeps no later ones, because a page that misses one
// write would show a different run.
func (f *followed) add(atNs int64, r *apiserver.Request) {
	if f.over != "" {
		return
	}
	a, err := actOf(atNs, r)
	f.bytes += actBytes(&a)
	switch {
	case err != nil:
		f.over = "A client has made a write that a scenario cannot contain: " + err.Error() + "."
	case len(f.acts) == f.bounds.acts:
		f.over = fmt.Sprintf("Clients have written %d times, the limit of a scenario.", len(f.acts))
	case f.bytes > f.bounds.bytes:
		f.over = fmt.Sprintf("Clients have written %d MiB, the limit that the server keeps for its page.",
			f.bounds.bytes>>20)
	default:
		f.acts = append(f.acts, a)
		return
	}
	f.endNs = atNs - 1
}

// actBytes estimates the memory of an act, and its length in an answer.
func actBytes(a *scenario.Action) int {
	bytes := len(a.Method) + len(a.Path) + len(a.Body) + 100
	for _, h := range a.Headers {
		bytes += len(h)
	}
	return bytes
}

// actOf returns a write as an act of a scenario. The page cannot read YAML in an act, so a YAML body becomes JSON.
func actOf(atNs int64, r *apiserver.Request) (scenario.Action, error) {
	for _, part := range strings.Split(r.Path, "/") {
		if part == "configmaps" || part == "events" {
			return scenario.Action{}, fmt.Errorf("%s, but the page serves only Leases, LeaseCandidates and namespaces",
				part)
		}
	}
	header := maps.Clone(r.Header)
	for _, secret := range []string{"authorization", "cookie"} {
		delete(header, secret)
	}
	for _, name := range []string{"user-agent", "accept"} { // an act has defaults for these headers
		header[name] = r.Header[name]
	}
	body := r.Body
	if media := header["content-type"]; strings.Contains(media, "yaml") {
		var err error
		if body, err = yaml.YAMLToJSON(body); err != nil {
			return scenario.Action{}, err
		}
		if !strings.Contains(media, "apply-patch") {
			header["content-type"] = "application/json"
		}
	}
	path := (&url.URL{Path: r.Path}).EscapedPath()
	for i, p := range r.Query {
		path += "?&"[min(i, 1):][:1] + url.QueryEscape(p.Name) + "=" + url.QueryEscape(p.Value)
	}
	a := scenario.Action{At: scenario.Duration(atNs), Act: scenario.ActRequest, Method: r.Method, Path: path,
		Body: string(body)}
	for _, name := range slices.Sorted(maps.Keys(header)) {
		a.Headers = append(a.Headers, name+": "+header[name])
	}
	return a, nil
}
