package main

import (
	"net/http"
	"strings"

	"github.com/leaselab/leaselab/sim/programs/picture"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/serve"
)

// answers answers browsers at / with the page of the group, and everything else as beside does.
func (g *group) answers(access *serve.Access, beside http.Handler) http.Handler {
	page := access.Page(http.HandlerFunc(g.page))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/" && (r.Method == http.MethodGet || r.Method == http.MethodHead) && strings.Contains(r.Header.Get("Accept"), "text/html") {
			page.ServeHTTP(w, r)
			return
		}
		beside.ServeHTTP(w, r)
	})
}

// page writes the page of the group as it is now.
func (g *group) page(w http.ResponseWriter, r *http.Request) {
	text := ""
	g.cluster.Look(func(ran *run.Run, ns int64) {
		text = g.picture.Page(ran, picture.View{Scenario: g.scenario, NowNs: ns, Live: true, Held: r.URL.Query().Has("hold"), Site: g.site})
	})
	header := w.Header()
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("Content-Security-Policy", picture.Policy)
	header.Set("Cache-Control", "no-store")
	_, _ = w.Write([]byte(text)) // the client is gone
}
