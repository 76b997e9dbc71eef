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
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/benbjohnson/clock"
	"github.com/spf13/cobra"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/sim/httpapi"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/world"
)

func serveCommand() *cobra.Command {
	f := serveFlags{speed: 1}
	c := &cobra.Command{
		Use:   "serve",
		Short: "Serve the API of coordination.k8s.io for kubectl, client-go and curl, and the built page at /",
		Example: "  leaselab serve\n  leaselab serve --feature-gates CoordinatedLeaderElection=true --token s3cret\n" +
			"  leaselab serve --scenario a-leader-dies --speed 2\n  kubectl --server http://127.0.0.1:8001 get leases -A -w",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			f.siteGiven = cmd.Flags().Changed("site")
			return f.serve(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	c.Flags().StringVar(&f.addr, "addr", "127.0.0.1:8001", "address to listen on; port 0 takes a free one")
	c.Flags().StringVar(&f.site, "site", "web/dist", "folder of the built page (make site)")
	c.Flags().StringVar(&f.gates, "feature-gates", "", "CoordinatedLeaderElection=true serves candidates, strategy and preferredHolder")
	c.Flags().StringVar(&f.runtime, "runtime-config", "", "versions served beside v1, as coordination.k8s.io/v1beta1=true; for v1alpha1: coordination.k8s.io/v1alpha1=true,coordination.k8s.io/v1beta1=false,coordination.k8s.io/v1alpha2=false")
	c.Flags().StringSliceVar(&f.tokens, "token", nil, "bearer token of an administrator; without any, everybody is one")
	c.Flags().StringToStringVar(&f.users, "user", nil, "TOKEN=NAME of a user without rights: 403 with --authorization-mode=RBAC")
	c.Flags().StringVar(&f.authorization, "authorization-mode", "AlwaysAllow", "AlwaysAllow, or RBAC: only administrators may do anything")
	c.Flags().BoolVar(&f.anonymous, "anonymous-auth", true, "with RBAC: requests without a token are system:anonymous's, not 401")
	c.Flags().StringVar(&f.fixture, "fixture", "", "YAML or JSON file of objects that are there from the start")
	c.Flags().StringVar(&f.scenario, "scenario", "", "serve a running simulation: a shipped scenario by name, or a file")
	c.Flags().Float64Var(&f.speed, "speed", 1, "virtual seconds per second, with --scenario")
	c.Flags().Uint64Var(&f.seed, "seed", 0, "where uids and generated names come from; with --scenario its seed (0: the scenario's own)")
	return c
}

type serveFlags struct {
	addr, site, gates, runtime, authorization, fixture, scenario string
	tokens                                                       []string
	users                                                        map[string]string
	anonymous, siteGiven                                         bool
	speed                                                        float64
	seed                                                         uint64
}

func (f *serveFlags) serve(ctx context.Context, out, warnings io.Writer) error {
	api, err := f.handler()
	if err != nil {
		return err
	}
	handler := http.Handler(api)
	where := "the API is"
	if _, err := os.Stat(filepath.Join(f.site, "index.html")); err == nil {
		handler, where = besidePage(api, f.site), "leaselab is"
	} else if f.siteGiven {
		return fmt.Errorf("--site %s holds no index.html; build the page with `make site`", f.site)
	} else {
		fmt.Fprintf(warnings, "the page is not served: %s holds no index.html (make site builds it, --site names another folder)\n", f.site)
	}
	if ctx == nil {
		ctx = context.Background()
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	listener, err := net.Listen("tcp", f.addr)
	if err != nil {
		return fmt.Errorf("--addr %s: %w", f.addr, err)
	}
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 60 * time.Second, MaxHeaderBytes: 1 << 20}
	fmt.Fprintf(out, "%s at http://%s/ (Ctrl+C ends it)\n", where, listener.Addr())
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	if f.scenario != "" {
		go api.Run(ctx)
	}
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	api.Close() // watches end, so that the rest can
	closing, cancel := context.WithTimeout(context.Background(), 3*time.Second)
	defer cancel()
	if err := server.Shutdown(closing); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return nil
}

// handler is the API server that the flags describe.
func (f *serveFlags) handler() (*httpapi.Handler, error) {
	if f.scenario != "" {
		return f.simulation()
	}
	config, err := f.config()
	if err != nil {
		return nil, err
	}
	server := apiserver.New(config)
	h := httpapi.New(server, clock.New())
	if err := httpapi.Prepare(server, time.Now(), f.fixture); err != nil {
		return nil, err
	}
	return h, nil
}

// simulation is a running simulation that the flags describe.
func (f *serveFlags) simulation() (*httpapi.Handler, error) {
	s, err := load(f.scenario)
	if err != nil {
		return nil, err
	}
	if f.speed < 0.001 || f.speed > 1000 {
		return nil, fmt.Errorf("--speed %g must lie between 0.001 and 1000", f.speed)
	}
	if f.fixture != "" {
		return nil, errors.New("--fixture does not go with --scenario: what is there is the simulation's")
	}
	if f.seed != 0 {
		if s, err = scenario.Set(s, "seed", strconv.FormatUint(f.seed, 10)); err != nil {
			return nil, fmt.Errorf("--seed: %w", err)
		}
	}
	real := clock.New()
	return httpapi.New(httpapi.NewSimulation(world.Compile(s), real, int64(f.speed*1e6)), real), nil
}

const gateName = "CoordinatedLeaderElection"

// config is the API server's configuration.
func (f *serveFlags) config() (apiserver.Config, error) {
	config := apiserver.Config{
		Tokens: f.tokens, Strangers: f.users, Anonymous: f.anonymous, Seed: f.seed, FirstRevision: 1000, Address: f.addr,
	}
	httpapi.Native(&config)
	if config.Seed == 0 {
		config.Seed = uint64(time.Now().UnixNano())
	}
	switch f.authorization {
	case "AlwaysAllow":
	case "RBAC":
		config.Roles = true
	default:
		return config, fmt.Errorf("--authorization-mode %q must be AlwaysAllow or RBAC", f.authorization)
	}
	for name, on := range f.switches(f.gates) {
		if name != gateName {
			return config, fmt.Errorf("--feature-gates: there is no gate %q here; the only one is %s", name, gateName)
		}
		if config.Coordinated, _ = strconv.ParseBool(on); on != "true" && on != "false" {
			return config, fmt.Errorf("--feature-gates: %s=%s must be true or false", name, on)
		}
	}
	serves := map[string]bool{"v1beta1": config.Coordinated, "v1alpha2": config.Coordinated}
	for name, on := range f.switches(f.runtime) {
		group, version, _ := strings.Cut(name, "/")
		if group != coordination.Group || !slices.Contains([]string{"v1beta1", "v1alpha2", "v1alpha1"}, version) {
			return config, fmt.Errorf("--runtime-config: %q must be %s/v1beta1, /v1alpha2 or /v1alpha1", name, coordination.Group)
		}
		if serves[version], _ = strconv.ParseBool(on); on != "true" && on != "false" {
			return config, fmt.Errorf("--runtime-config: %s=%s must be true or false", name, on)
		}
	}
	if serves["v1alpha1"] && (serves["v1beta1"] || serves["v1alpha2"]) {
		return config, errors.New("--runtime-config: v1alpha1 has lists of strategies and goes with neither v1beta1 nor v1alpha2; add coordination.k8s.io/v1beta1=false,coordination.k8s.io/v1alpha2=false")
	}
	for _, version := range []string{"v1beta1", "v1alpha2", "v1alpha1"} {
		if serves[version] {
			config.Versions = append(config.Versions, version)
		}
	}
	return config, nil
}

// switches reads "a=true,b=false"; a name alone is true.
func (f *serveFlags) switches(text string) map[string]string {
	on := map[string]string{}
	for _, one := range strings.Split(text, ",") {
		if one == "" {
			continue
		}
		name, value, given := strings.Cut(one, "=")
		if !given {
			value = "true"
		}
		on[strings.TrimSpace(name)] = strings.TrimSpace(value)
	}
	return on
}

// besidePage serves the page where it has a file, and the API everywhere else. Only a browser gets the page at /.
func besidePage(api http.Handler, site string) http.Handler {
	page := compressed(http.FileServer(http.Dir(site)))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := path.Clean(r.URL.Path)
		isPage := false
		if name == "/" {
			isPage = strings.Contains(r.Header.Get("Accept"), "text/html")
		} else if info, err := os.Stat(filepath.Join(site, filepath.FromSlash(name))); err == nil && !info.IsDir() {
			isPage = true
		}
		if isPage && (r.Method == http.MethodGet || r.Method == http.MethodHead) {
			page.ServeHTTP(w, r)
			return
		}
		api.ServeHTTP(w, r)
	})
}

var compressible = map[string]bool{".html": true, ".css": true, ".js": true, ".json": true, ".svg": true, ".webmanifest": true}

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
