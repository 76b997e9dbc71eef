package main

import (
	"compress/gzip"
	"io/fs"
	"net/http"
	"path"
	"regexp"
	"strings"
)

// apiPath matches the paths that the API answers. At every other unknown path, a browser gets the site's 404.html.
var apiPath = regexp.MustCompile(`^/(apis?|openapi|version|healthz|livez|readyz|leaselab)(/|$)`)

// besidePage serves the page's files, and the API at every other path. At the path /, a browser gets the page, and any
// other client gets the API's list of paths.
//
// A request that writes always goes to the API, even if the page has a file at that path.
func besidePage(api, page http.Handler, site fs.FS) http.Handler {
	has := func(name string) bool {
		info, err := fs.Stat(site, strings.TrimPrefix(name, "/"))
		return err == nil && !info.IsDir()
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name, asked := path.Clean(r.URL.Path), r.Clone(r.Context())
		isBrowser := strings.Contains(r.Header.Get("Accept"), "text/html")
		switch {
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			api.ServeHTTP(w, r)
		case has(name), has(name + "/index.html"), name == "/" && isBrowser:
			// http.FileServer would redirect index.html to its folder, but a service worker cannot cache a redirect
			// for a navigation.
			if folder, ok := strings.CutSuffix(r.URL.Path, "/index.html"); ok {
				asked.URL.Path = folder + "/"
			}
			page.ServeHTTP(w, asked)
		case isBrowser && !apiPath.MatchString(name):
			asked.URL.Path = "/404.html"
			asked.Header.Del("If-Modified-Since") // the answer must not be 304
			page.ServeHTTP(notFound{w}, asked)
		default:
			api.ServeHTTP(w, r)
		}
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
