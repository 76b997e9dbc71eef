package apiserver

import "strings"

// The paths that say whether the server is well. It always is: there is nothing under it that could fail.
var healthPaths = []string{"/healthz", "/livez", "/readyz"}

func healthy(path string) bool { return contains(healthPaths, strings.TrimSuffix(path, "/ping")) }

// health is the answer of a health path; with the parameter verbose it lists the checks.
// Source: apiserver v0.36 pkg/server/healthz healthz.go.
func (r *Request) health(path string) string {
	if !r.has("verbose") || strings.HasSuffix(path, "/ping") {
		return "ok"
	}
	return "[+]ping ok\n" + path[1:] + " check passed\n"
}
