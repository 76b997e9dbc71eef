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

// builtIn returns the page that the command was built with, nil if it was built without.
func builtIn() fs.FS {
	site, err := fs.Sub(dist, "dist")
	if err != nil {
		panic(err) // the name is valid
	}
	return site
}
