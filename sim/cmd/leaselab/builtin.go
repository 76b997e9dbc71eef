//go:build site

package main

import (
	"embed"
	"io/fs"
)

// dist is a copy of web/dist that `make build` puts here.
//
//go:embed all:dist
var dist embed.FS

// builtIn returns the page that the command contains, or nil if it contains none. The build tag "site" decides, so that
// `go install` and `go test` need no built page.
func builtIn() fs.FS {
	site, err := fs.Sub(dist, "dist")
	if err != nil {
		panic(err) // cannot happen: the name is valid
	}
	return site
}
