package main

import (
	"compress/gzip"
	"io/fs"
	"net/http"
	"path"
	"strings"
)

// withPage completes the doors of a server: the mode's own doors, the page's files, the API's paths, and the answer to
// everything else. At the path /, a browser gets the page, with a mark in its head, and any other client gets the API's
// list of paths. At an unknown path, a browser gets the site's 404.html.
//
// A request that writes always goes to the API, even if the page has a file at that path. Without a page, only the API
// remains.
func withPage(own []door, site fs.FS, mark string, api http.Handler) []door {
	if site == nil {
		return append(append(own, apiDoors(api)...), door{path: "/", owner: apiUsers, answer: api})
	}
	files := http.FileServerFS(site)
	if mark != "" {
		files = markPage(files, site, mark)
	}
	files = compress(files)
	has := func(name string) bool {
		info, err := fs.Stat(site, strings.TrimPrefix(name, "/"))
		return err == nil && !info.IsDir()
	}
	doors := append(own, door{path: "/", owner: anyone, answer: ownName(files), fits: func(r *http.Request) bool {
		name := path.Clean(r.URL.Path)
		return isRead(r) && (has(name) || has(name+"/index.html") || name == "/" && isBrowser(r))
	}})
	return append(append(doors, apiDoors(api)...),
		door{path: "/", owner: anyone, answer: missing(files), fits: isBrowser},
		door{path: "/", owner: apiUsers, answer: api})
}

func isRead(r *http.Request) bool { return r.Method == http.MethodGet || r.Method == http.MethodHead }

// isBrowser reports whether a request asks for a page.
func isBrowser(r *http.Request) bool {
	return isRead(r) && strings.Contains(r.Header.Get("Accept"), "text/html")
}

// ownName serves an index.html under its own name. http.FileServer would redirect index.html to its folder, but a
// service worker cannot cache a redirect for a navigation.
func ownName(files http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if folder, ok := strings.CutSuffix(r.URL.Path, "/index.html"); ok {
			r = r.Clone(r.Context())
			r.URL.Path = folder + "/"
		}
		files.ServeHTTP(w, r)
	})
}

// missing answers with the site's 404.html.
func missing(files http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r = r.Clone(r.Context())
		r.URL.Path = "/404.html"
		r.Header.Del("If-Modified-Since") // the answer must not be 304
		files.ServeHTTP(notFound{w}, r)
	})
}

// notFound sends a file as the body of a 404.
type notFound struct{ http.ResponseWriter }

// WriteHeader implements http.ResponseWriter.
func (n notFound) WriteHeader(int) { n.ResponseWriter.WriteHeader(http.StatusNotFound) }

// compressible are the extensions of the text files among the page's files. A folder's path has none, and serves
// its index.html.
var compressible = map[string]bool{"": true, ".html": true, ".css": true, ".js": true, ".json": true, ".svg": true,
	".webmanifest": true}

// compress gzips text files, as hosts of static sites do. So a local page loads like a hosted page, and measurements of
// both are comparable. It does not touch range requests, because ranges count bytes of the original file. With no-cache
// the browser revalidates each time, so a rebuilt page appears on reload.
func compress(files http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-cache")
		if !compressible[path.Ext(r.URL.Path)] || !strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") ||
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
