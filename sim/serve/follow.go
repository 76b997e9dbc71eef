package serve

import (
	"maps"
	"net/url"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/sim/scenario"
)

// mostFollowed is how many bytes of acts a simulation keeps for pages that replay it: a page takes no larger scenario.
const mostFollowed = 2 << 20

// Followed is what a page needs to replay a running simulation: with these acts its run is the server's, and at NowNs so is its hash.
type Followed struct {
	NowNs int64
	Hash  string
	Acts  []scenario.Action // those after the ones that the page has
	Over  bool              // there were too many writes to keep: the acts are not complete
}

// Follow returns the state of a backend that is a Simulation, and its acts without the first have; ok is false for another backend.
func (h *Handler) Follow(have int) (f Followed, ok bool) {
	s, simulates := h.backend.(*Simulation)
	if !simulates {
		return f, false
	}
	h.Locked(func() {
		s.Advance()
		f = Followed{NowNs: s.now, Hash: s.world.Hash().String(), Over: s.followed.over}
		if have < len(s.followed.acts) {
			f.Acts = slices.Clone(s.followed.acts[max(have, 0):])
		}
	})
	return f, true
}

// followed are the acts of a simulation since it began.
type followed struct {
	acts  []scenario.Action
	bytes int
	over  bool
}

func (f *followed) add(atNs int64, r *apiserver.Request) {
	a, err := actOf(atNs, r)
	f.bytes += len(a.Body) + len(a.Path)
	f.over = f.over || err != nil || f.bytes > mostFollowed
	if !f.over {
		f.acts = append(f.acts, a)
	}
}

// actOf returns a write as an act of the format. The page reads no YAML in an act, so a YAML body becomes JSON.
func actOf(atNs int64, r *apiserver.Request) (scenario.Action, error) {
	header := maps.Clone(r.Header)
	for _, secret := range []string{"authorization", "cookie"} {
		delete(header, secret)
	}
	for _, name := range []string{"user-agent", "accept"} { // an act without them has defaults
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
	a := scenario.Action{At: scenario.Duration(atNs), Act: scenario.ActRequest, Method: r.Method, Path: path, Body: string(body)}
	for _, name := range slices.Sorted(maps.Keys(header)) {
		a.Headers = append(a.Headers, name+": "+header[name])
	}
	return a, nil
}
