package main

import (
	"cmp"
	"net/http"
	"strings"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/sim/serve"
	"github.com/leaselab/leaselab/sim/serve/audit"
	"github.com/leaselab/leaselab/sim/serve/incoming"
	"github.com/leaselab/leaselab/sim/serve/rbac"
)

// A door is a path that a server answers, and says who may use it. Each mode of `leaselab serve`, and the server of
// `leaselab test`, is a list of doors, and leaselab makes the handlers from the list. So a path without a door does not
// exist, and no path lacks an owner.
//
//	/leaselab/run                      --scenario            readers
//	/leaselab/record                   --faults, test        readers
//	/leaselab/record.css               --faults, test        anyone
//	/leaselab/work                     --faults, test        candidate
//	/leaselab/nodes/NAME/leaselab/work --faults, test        candidate
//	/leaselab/nodes/NAME/...           --faults, test        apiUsers
//	the page's files and its 404.html  all, with a page      anyone
//	/api/, /apis/, /openapi/, ...      all                   apiUsers
//	everything else                    all                   apiUsers, who get 404
type door struct {
	path   string                   // if it ends in /, it stands for everything below it, too
	fits   func(*http.Request) bool // a further condition; nil if none
	owner  owner
	answer http.Handler
}

// owner says who may use a door.
type owner int

const (
	// anyone gets the page's files, which contain nothing from a client.
	anyone owner = iota
	// apiUsers are the users of the API, whose Guard decides about each request.
	apiUsers
	// readers are the users whom the Guard lets read the path, which shows what all clients have written.
	readers
	// candidate is the user with the token of the candidate that the request names, or, if that candidate has none,
	// any user whom the Guard lets through.
	candidate
)

// apiDoors returns the doors of the API, at the paths of a kube-apiserver.
func apiDoors(api http.Handler) []door {
	var doors []door
	for _, path := range []string{"/api/", "/apis/", "/openapi/", "/version/", "/healthz/", "/livez/", "/readyz/"} {
		doors = append(doors, door{path: path, owner: apiUsers, answer: api})
	}
	return doors
}

// opens reports whether a request is for this door.
func (d *door) opens(r *http.Request) bool {
	path, below := strings.CutSuffix(d.path, "/")
	at := r.URL.Path == path || below && strings.HasPrefix(r.URL.Path, d.path)
	return at && (d.fits == nil || d.fits(r))
}

// house is what all doors of a server share.
type house struct {
	access    *serve.Access
	authority *rbac.Authority
	log       *audit.Log // nil without an audit log
}

// handler returns the handler of a server. A request takes the first door that it fits. Behind each door it passes the
// same layers, the outermost first: the audit log, the check of its host and origin, the door's owner. So the log also
// has what the other layers refuse.
func (h *house) handler(doors []door) http.Handler {
	handlers := make([]http.Handler, len(doors))
	for i := range doors {
		handlers[i] = h.behind(&doors[i])
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for i := range doors {
			if doors[i].opens(r) {
				handlers[i].ServeHTTP(w, r)
				return
			}
		}
		http.NotFound(w, r) // cannot happen: the last door is for everything else
	})
}

func (h *house) behind(d *door) http.Handler {
	inner := d.answer
	switch d.owner {
	case anyone:
		return h.log.Wrap(h.access.Page(inner), false)
	case apiUsers:
		return h.log.Wrap(h.access.API(inner), true)
	case candidate:
		inner = serve.Guarded(func(r *http.Request) apiserver.Guard { return h.authority.GuardOf(h.nodeOf(r)) }, inner)
		return h.log.Wrap(h.access.API(inner), false)
	}
	inner = serve.Guarded(func(*http.Request) apiserver.Guard { return h.authority.Guard }, inner)
	logged := h.log.Wrap(h.access.API(onlyRead(inner)), false)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { logged.ServeHTTP(w, serve.BasicToken(r)) })
}

// nodeOf returns the node that a request belongs to by its token or, without a node's token, by its own words.
func (h *house) nodeOf(r *http.Request) string {
	return cmp.Or(h.authority.NodeOf(r), incoming.NodeOf(r))
}

// onlyRead refuses requests that write.
func onlyRead(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !isRead(r) {
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "leaselab: this path is only for reading", http.StatusMethodNotAllowed)
			return
		}
		next.ServeHTTP(w, r)
	})
}
