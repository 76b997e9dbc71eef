package main

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
)

func serveCommand() *cobra.Command {
	var addr, site string
	c := &cobra.Command{
		Use:   "serve",
		Short: "Serve the built page",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return serve(cmd.Context(), cmd.OutOrStdout(), addr, site)
		},
	}
	c.Flags().StringVar(&addr, "addr", "127.0.0.1:8001", "address to listen on; port 0 takes a free one")
	c.Flags().StringVar(&site, "site", "web/dist", "folder of the built page (make site)")
	return c
}

func serve(ctx context.Context, out io.Writer, addr, site string) error {
	if _, err := os.Stat(filepath.Join(site, "index.html")); err != nil {
		return fmt.Errorf("--site %s holds no index.html; build the page with `make site`", site)
	}
	if ctx == nil {
		ctx = context.Background()
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return fmt.Errorf("--addr %s: %w", addr, err)
	}
	server := &http.Server{Handler: compressed(http.FileServer(http.Dir(site))), ReadHeaderTimeout: 10 * time.Second}
	fmt.Fprintf(out, "leaselab is at http://%s/ (Ctrl+C ends it)\n", listener.Addr())
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	closing, cancel := context.WithTimeout(context.Background(), 3*time.Second)
	defer cancel()
	if err := server.Shutdown(closing); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return nil
}

var compressible = map[string]bool{".html": true, ".css": true, ".js": true, ".json": true, ".wasm": true, ".svg": true, ".webmanifest": true}

// compressed sends what compresses well as gzip, as hosts of static sites do.
func compressed(files http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := r.URL.Path
		if strings.HasSuffix(name, "/") {
			name += "index.html"
		}
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Cache-Control", "no-cache")
		if !compressible[filepath.Ext(name)] || !strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") || r.Header.Get("Range") != "" {
			files.ServeHTTP(w, r)
			return
		}
		w.Header().Add("Vary", "Accept-Encoding")
		z := &zipped{ResponseWriter: w}
		defer z.close()
		files.ServeHTTP(z, r)
	})
}

// zipped compresses a response with a body.
type zipped struct {
	http.ResponseWriter
	gzip *gzip.Writer
	bare bool
}

func (z *zipped) WriteHeader(code int) {
	z.bare = code != http.StatusOK
	if !z.bare {
		z.Header().Set("Content-Encoding", "gzip")
		z.Header().Del("Content-Length")
	}
	z.ResponseWriter.WriteHeader(code)
}

func (z *zipped) Write(p []byte) (int, error) {
	if z.bare {
		return z.ResponseWriter.Write(p)
	}
	if z.gzip == nil {
		z.gzip = gzip.NewWriter(z.ResponseWriter)
	}
	return z.gzip.Write(p)
}

func (z *zipped) close() {
	if z.gzip != nil {
		_ = z.gzip.Close() // the client has gone: nothing to tell it
	}
}
