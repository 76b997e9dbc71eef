package apiserver

import (
	"slices"
	"strings"
)

// The health paths. The server is always healthy: it depends on nothing that could fail.
var healthPaths = []string{"/healthz", "/livez", "/readyz"}

// IsHealthPath reports whether a path is a health check.
func IsHealthPath(path string) bool {
	return slices.Contains(healthPaths, strings.TrimSuffix(path, "/ping"))
}

// health answers a health path; with the parameter "verbose" it lists the checks.
// Source: apiserver v0.36 pkg/server/healthz healthz.go.
func (r *Request) health(path string) string {
	if !r.has("verbose") || strings.HasSuffix(path, "/ping") {
		return "ok"
	}
	return "[+]ping ok\n" + path[1:] + " check passed\n"
}
