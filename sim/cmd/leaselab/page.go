package main

import (
	"compress/gzip"
	"io/fs"
	"net/http"
	"path"
	"path/filepath"
	"strings"
)

// besidePage serves the page's files, and the API at every other path. At the path /, a browser gets the page, and any
// other client gets the API's list of paths.
//
// A request that writes always goes to the API, even if the page has a file at that path.
func besidePage(api, page http.Handler, site fs.FS) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := path.Clean(r.URL.Path)
		isPage := false
		if name == "/" {
			isPage = strings.Contains(r.Header.Get("Accept"), "text/html")
		} else if info, err := fs.Stat(site, strings.TrimPrefix(name, "/")); err == nil && !info.IsDir() {
			isPage = true
		}
		if isPage && (r.Method == http.MethodGet || r.Method == http.MethodHead) {
			if folder, ok := strings.CutSuffix(r.URL.Path, "/index.html"); ok {
				// http.FileServer would redirect index.html to its folder, but a service worker cannot cache a
				// redirect for a navigation.
				r = r.Clone(r.Context())
				r.URL.Path = folder + "/"
			}
			page.ServeHTTP(w, r)
			return
		}
		api.ServeHTTP(w, r)
	})
}

// compressible are the extensions of the text files among the page's files.
var compressible = map[string]bool{".html": true, ".css": true, ".js": true, ".json": true, ".svg": true,
	".webmanifest": true}

// compress gzips text files, as hosts of static sites do. So a local page loads like a hosted page, and measurements of
// both are comparable. It does not touch range requests, because ranges count bytes of the original file. With no-cache
// the browser revalidates each time, so a rebuilt page appears on reload.
func compress(files http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := r.URL.Path
		if strings.HasSuffix(name, "/") {
			name += "index.html"
		}
		w.Header().Set("Cache-Control", "no-cache")
		if !compressible[filepath.Ext(name)] || !strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") ||
			r.Header.Get("Range") != "" {
			files.ServeHTTP(w, r)
			return
		}
		w.Header().Add("Vary", "Accept-Encoding")
		z := &zipped{ResponseWriter: w}
		defer z.close()
		files.ServeHTTP(z, r)
	})
}

// zipped gzips the body of a 200 response and passes other responses unchanged. The answer to a HEAD request has no
// body, but even an empty gzip stream has some bytes. So the stream begins only with the first byte of the body.
type zipped struct {
	http.ResponseWriter
	gzip *gzip.Writer
	bare bool
}

// WriteHeader implements http.ResponseWriter. It drops Content-Length, which counts the original bytes.
func (z *zipped) WriteHeader(code int) {
	z.bare = code != http.StatusOK
	if !z.bare {
		z.Header().Set("Content-Encoding", "gzip")
		z.Header().Del("Content-Length")
	}
	z.ResponseWriter.WriteHeader(code)
}

// Write implements http.ResponseWriter. It assumes that WriteHeader came first, as http.FileServer and markPage both
// do.
func (z *zipped) Write(p []byte) (int, error) {
	if z.bare {
		return z.ResponseWriter.Write(p)
	}
	if z.gzip == nil {
		z.gzip = gzip.NewWriter(z.ResponseWriter)
	}
	return z.gzip.Write(p)
}

// close writes the end of the gzip stream, if one began.
func (z *zipped) close() {
	if z.gzip != nil {
		_ = z.gzip.Close() // the client is gone
	}
}
