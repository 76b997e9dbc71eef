package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/benbjohnson/clock"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/wire"
	"github.com/leaselab/leaselab/sim/compile"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/serve"
	"github.com/leaselab/leaselab/sim/serve/audit"
	"github.com/leaselab/leaselab/sim/serve/controllers"
	"github.com/leaselab/leaselab/sim/serve/data"
	"github.com/leaselab/leaselab/sim/serve/kinds"
)

// serveCommand is `leaselab serve`: it serves the API of coordination.k8s.io to kubectl, client-go and curl, and the
// page at /. It has three modes, which share their flags:
//
//	leaselab serve                  an API server in real time
//	leaselab serve --scenario S     a simulation, whose Leases clients may read and write
//	leaselab serve --faults S       an API server behind a network with the faults of S, for real candidates
//
// Standard output gets the addresses at the start and, with --faults, the verdict and the stories at the end. Standard
// error gets warnings. The command writes only the kubeconfigs for HTTPS and the files that flags name (--data,
// --record, --audit-log-path).
//
// It runs until Ctrl-C or SIGTERM and then exits 0, even if --faults ends with a broken rule: for a verdict, use
// `leaselab import --judge RECORD`. It exits 1 if it cannot start, a listener fails, or it can no longer write the file
// of --data.
func serveCommand() *cobra.Command {
	f := serveFlags{speed: 1, quota: 256 << 20}
	c := &cobra.Command{
		Use:  "serve",
		Args: takes(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			f.flags = cmd.Flags()
			return f.serve(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	c.Flags().StringVar(&f.addr, "addr", "127.0.0.1:8765", "")
	c.Flags().StringSliceVar(&f.acceptHosts, "accept-hosts", nil, "")
	c.Flags().StringSliceVar(&f.embedFrom, "embed-from", nil, "")
	c.Flags().StringVar(&f.site, "site", "web/dist", "")
	c.Flags().StringVar(&f.gates, "feature-gates", "", "")
	c.Flags().StringVar(&f.runtime, "runtime-config", "", "")
	c.Flags().StringSliceVar(&f.tokens, "token", nil, "")
	c.Flags().Var(&f.users, "user", "")
	c.Flags().StringVar(&f.authorization, "authorization-mode", "AlwaysAllow", "")
	c.Flags().StringVar(&f.rbac, "rbac", "", "")
	c.Flags().BoolVar(&f.anonymous, "anonymous-auth", true, "")
	c.Flags().StringVar(&f.fixture, "fixture", "", "")
	c.Flags().StringVar(&f.crds, "crds", "", "")
	c.Flags().StringVar(&f.data, "data", "", "")
	c.Flags().Var(&f.quota, "quota", "")
	c.Flags().StringVar(&f.scenario, "scenario", "", "")
	c.Flags().Float64Var(&f.speed, "speed", 1, "")
	c.Flags().BoolVar(&f.controllers, "run-controllers", true, "")
	c.Flags().StringVar(&f.faults, "faults", "", "")
	c.Flags().StringVar(&f.record, "record", "", "")
	completeBy(c, "faults", completeScenarios(1))
	c.Flags().StringVar(&f.auditPath, "audit-log-path", "", "")
	c.Flags().StringVar(&f.auditLevel, "audit-level", string(audit.RequestResponse), "")
	completeWords(c, "audit-level", audit.Levels...)
	completeWords(c, "feature-gates", gateName+"=true", gateName+"=false")
	completeWords(c, "authorization-mode", "AlwaysAllow", "RBAC")
	completeWords(c, "runtime-config", "coordination.k8s.io/v1beta1=true", "coordination.k8s.io/v1alpha2=true",
		"coordination.k8s.io/v1alpha1=true,coordination.k8s.io/v1beta1=false,coordination.k8s.io/v1alpha2=false")
	completeBy(c, "scenario", completeScenarios(1))
	f.secure.flags(c)
	c.Flags().Uint64Var(&f.seed, "seed", 0, "")
	return c
}

// serveFlags are the flags of `leaselab serve`. The fields secure, running, set and file hold what the command
// derives from them. A flag that kube-apiserver also has means the same here, so that a user's knowledge and command
// lines carry over.
//
// The field flags says whether the user gave a flag, since a value from the user may have another meaning than the
// same value as a default. For example, AlwaysAllow next to --rbac is a contradiction, but only if the user wrote it.
type serveFlags struct {
	addr, site, gates, runtime, authorization, fixture, scenario, rbac string
	data, crds, faults, record, auditPath, auditLevel                  string
	tokens, acceptHosts, embedFrom                                     []string

	users                  tokenUsers
	anonymous, controllers bool
	speed                  float64
	seed                   uint64
	quota                  size
	secure                 secure
	flags                  *pflag.FlagSet     // nil in tests that have no command line
	running                *scenario.Scenario // nil without a simulation
	set                    *controllers.Set   // nil if none run
	file                   *data.File         // nil without --data
}

// serve checks, listens, serves and ends, in an order that leaves nothing behind on an error. It checks the flags
// first, because that costs nothing. It opens the listeners before it empties the file of --record, so that an
// address in use does not destroy an old record. It writes the kubeconfig files last: they need the port, and a
// client must not find one before the server listens.
//
// At the end it closes the file of --data only after the last request has finished. So no answer confirms a write that
// is not on disk.
func (f *serveFlags) serve(ctx context.Context, out, warnings io.Writer) (err error) {
	if err := f.check(); err != nil {
		return err
	}
	if err := f.secure.prepare(f.addr, serve.NamesIn(f.acceptHosts)); err != nil {
		return err
	}
	listening, err := f.listen() // check the address before --record empties a file
	if err != nil {
		return err
	}
	defer listening.close()
	live, api, err := f.backend(warnings)
	if err != nil {
		return err
	}
	handler, where, closeAudit, err := f.answers(live, api, out, warnings)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeAudit()) }()
	if ctx == nil {
		ctx = context.Background()
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	// WriteTimeout limits the page's answers; the API sets its own deadline for each write.
	server := &http.Server{
		Handler: handler, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 60 * time.Second,
		WriteTimeout: 2 * time.Minute, MaxHeaderBytes: 1 << 20,
	}
	encrypted, err := f.secure.writeKubeconfigs(listening.encrypted)
	if err != nil {
		return err
	}
	ended := listening.begin(server, where, encrypted, out)
	if f.scenario != "" {
		go api.Run(ctx)
	}
	if f.set != nil {
		go api.Keep(ctx, f.set.Advance)
	}
	if live != nil {
		fmt.Fprintln(out, live.howToJoin(listening.plain.Addr().String()))
		go live.cluster.Drive()
		go live.keep(ctx)
	}
	select {
	case err := <-ended:
		return err
	case <-f.dataFailure():
	case <-ctx.Done():
	}
	if live != nil {
		over, err := live.end(live.cluster.Now())
		if err == nil {
			err = over.write(out, "text", true)
		}
		if err != nil {
			return err
		}
	}
	stop() // from here on a second signal kills the process
	return errors.Join(end(server, api, grace, warnings), f.closeData())
}

// backend returns the API that the flags describe, and the group of programs in front of it, which is nil without
// --faults. With --faults, the API is for clients other than candidates.
func (f *serveFlags) backend(warnings io.Writer) (*group, *serve.Handler, error) {
	if f.faults == "" {
		api, err := f.handler(warnings)
		return nil, api, err
	}
	live, err := f.prepareFaults()
	if err != nil {
		return nil, nil, err
	}
	return live, live.api, nil
}

// answers returns the handler for all requests, which it makes from the mode's doors, and a description of what it
// serves. The returned function closeAudit ends the audit log.
func (f *serveFlags) answers(live *group, api *serve.Handler, out, warnings io.Writer) (handler http.Handler,
	where string, closeAudit func() error, err error) {
	access, err := serve.NewAccess(f.addr, f.acceptHosts, f.embedFrom)
	if err != nil {
		return nil, "", nil, err
	}
	authority, err := f.authority()
	if err != nil {
		return nil, "", nil, err
	}
	site, err := f.page()
	if err != nil {
		return nil, "", nil, err
	}
	h := house{access: access, authority: authority}
	if h.log, closeAudit, err = f.openAuditLog(authority, out, warnings); err != nil {
		return nil, "", nil, err
	}
	if site == nil && f.site != "" {
		fmt.Fprintf(warnings,
			"serving the API only, because this leaselab lacks the page and %s has no index.html. The "+
				"leaselab of a release contains it: %s. In a checkout, `make site build` builds both; --site names "+
				"another folder\n", f.site, releases)
	}
	if where = "the API is"; live != nil || site != nil {
		where = "leaselab is"
	}
	return h.handler(f.doors(live, api, site)), where, closeAudit, nil
}

// doors returns the doors of the mode that the flags choose.
func (f *serveFlags) doors(live *group, api *serve.Handler, site fs.FS) []door {
	switch {
	case live != nil:
		return live.doors(site)
	case f.running != nil:
		run := door{path: runPath, owner: readers, answer: tellRun(api, *f.running, f.speed)}
		return withPage([]door{run}, site, followMark, api)
	}
	return withPage(nil, site, "", api)
}

// listeners are the open listeners of a server. Both serve the same handler.
type listeners struct {
	plain, encrypted net.Listener // encrypted: nil without --tls
}

// listen opens the listeners. If the second one fails, it closes the first.
func (f *serveFlags) listen() (*listeners, error) {
	plain, err := net.Listen("tcp", f.addr)
	if err != nil {
		return nil, notListening(f.addr, err)
	}
	encrypted, err := f.secure.listen()
	if err != nil {
		return nil, errors.Join(err, plain.Close())
	}
	return &listeners{plain, encrypted}, nil
}

// close closes the listeners of a server that never began. After a regular end it does nothing.
func (l *listeners) close() {
	_ = l.plain.Close() // a server that began has already closed it
	if l.encrypted != nil {
		_ = l.encrypted.Close()
	}
}

// begin prints the server's address and starts to serve. The address comes from the listener, so it has the real port
// if --addr asked for port 0. The channel receives an error when a listener ends. It has room for two errors, so that
// no goroutine blocks on it.
func (l *listeners) begin(server *http.Server, where, encrypted string, out io.Writer) (ended chan error) {
	fmt.Fprintf(out, "%s at http://%s/ (Ctrl+C stops it)\n%s", where, l.plain.Addr(), encrypted)
	ended = make(chan error, 2)
	go func() { ended <- server.Serve(l.plain) }()
	if l.encrypted != nil {
		go func() { ended <- server.Serve(l.encrypted) }()
	}
	return ended
}

// page returns the page's files: from --site, from the command itself, or from the default folder. It returns nil if
// none of them has any. A folder that the user names must have an index.html; the default folder may be missing,
// because then the API alone is still useful.
func (f *serveFlags) page() (fs.FS, error) {
	if f.site == "" {
		return nil, nil
	}
	if built := builtIn(); built != nil && !f.has("site") {
		return built, nil
	}
	folder := os.DirFS(f.site)
	if _, err := fs.Stat(folder, "index.html"); err == nil {
		return folder, nil
	}
	if f.has("site") {
		return nil, fmt.Errorf("--site %s contains no index.html; `make site` builds the page, and a release has it "+
			"as a zip: %s", f.site, releases)
	}
	return nil, nil
}

// grace is how much longer running requests may take after a signal. Kubernetes gives a pod 30 s by default, but a
// request to this server seldom needs even 1 s.
const grace = 3 * time.Second

// end stops a server. It ends watches at once, since they would outlast any grace period. Other requests end with their
// answer, or when the grace period is over. If the method end cuts requests off, it prints a warning but returns no
// error.
func end(server *http.Server, api *serve.Handler, grace time.Duration, warnings io.Writer) error {
	api.Close()
	ctx, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	err := server.Shutdown(ctx)
	if errors.Is(err, context.DeadlineExceeded) {
		fmt.Fprintf(warnings, "closing requests that are still running after %s\n", grace)
		return server.Close()
	}
	return err
}

// handler returns the API server or the simulation that the flags describe. It also chooses the controllers of an API
// server. Without --run-controllers only the expiry controller runs. The expiry controller replaces etcd rather than a
// controller: in a cluster, etcd removes objects with a limited life, such as Events.
func (f *serveFlags) handler(warnings io.Writer) (*serve.Handler, error) {
	if f.scenario != "" {
		return f.simulation()
	}
	config, err := f.config()
	if err != nil {
		return nil, err
	}
	h, server, err := f.begin(config, warnings)
	if err != nil {
		return nil, err
	}
	alone := controllers.Alone{Server: server}
	if f.set = controllers.NewExpiry(alone); f.controllers {
		f.set = controllers.New(alone, controllers.Options{Candidates: candidateVersion(&config), Core: config.Core})
	}
	return h, nil
}

// candidateVersion returns the newest apiVersion in which the server serves LeaseCandidates, for controllers that elect
// from them, or "" without the gate. The API may serve LeaseCandidates even though nobody uses them for elections.
func candidateVersion(config *apiserver.Config) string {
	if !config.Coordinated || len(config.Versions) == 0 {
		return ""
	}
	return coordination.Group + "/" + config.Versions[0]
}

// simulation returns the running simulation that the flags describe. Virtual time advances at the rate --speed, which
// simulation converts to millionths.
//
// The server's controllers do not touch the scenario's Leases. The simulation has its own controller for them, and
// two controllers would undo each other's elections.
func (f *serveFlags) simulation() (*serve.Handler, error) {
	s, err := load(f.scenario)
	if err != nil {
		return nil, fmt.Errorf("--scenario: %w", err)
	}
	if !(f.speed >= 0.001 && f.speed <= 1000) { // NaN is neither
		return nil, fmt.Errorf("--speed %g must lie between 0.001 and 1000", f.speed)
	}
	if f.seed != 0 {
		if s, err = scenario.Set(s, "seed", strconv.FormatUint(f.seed, 10)); err != nil {
			return nil, fmt.Errorf("--seed: %w", err)
		}
	}
	authority, err := f.authority()
	if err != nil {
		return nil, err
	}
	f.running = &s
	real := clock.New()
	setup := compile.Scenario(s)
	var api apiserver.Config
	setup.ConfigureAPI = func(config *apiserver.Config) {
		config.Reviews, config.Core = authority.Reviews(), locksConfigMap(&s)
		api = *config
	}
	simulation := serve.NewSimulation(setup, real, int64(f.speed*1e6), int64(f.quota))
	simulation.Guard = authority.Guard
	if f.controllers {
		own := func(namespace, name string) bool {
			return namespace == setup.Namespace && slices.Contains(setup.LeaseNames, name)
		}
		simulation.Keep = controllers.New(simulation,
			controllers.Options{Candidates: candidateVersion(&api), Core: api.Core, Spared: own}).Advance
	}
	return serve.New(simulation, real), nil
}

// locksConfigMap reports whether a scenario has a ConfigMap: as a lock, or written by an act. Only then does the
// simulation serve the core API.
func locksConfigMap(s *scenario.Scenario) bool {
	has := func(e *scenario.Elector) bool {
		return e != nil && e.Lock != "" && !strings.EqualFold(e.Lock, "leases")
	}
	r := scenario.Resolve(*s)
	return slices.ContainsFunc(r.Candidates, func(c scenario.ResolvedCandidate) bool { return has(&c.Elector) }) ||
		slices.ContainsFunc(r.Actions, func(a scenario.Action) bool {
			return a.Object == scenario.ObjectConfigMap || has(a.Elector)
		})
}

// readDefinitions reads the files of --crds.
func readDefinitions(path string) ([]wire.Map, error) {
	definitions, err := kinds.Definitions(path, time.Now())
	if err != nil {
		return nil, fmt.Errorf("--crds: %w", err)
	}
	return definitions, nil
}

// gateName is the feature gate of KEP-4355, the only one that leaselab knows.
const gateName = "CoordinatedLeaderElection"

// config returns the configuration of the API server. Without --seed, uids and generated names come from the clock.
func (f *serveFlags) config() (apiserver.Config, error) {
	config := apiserver.Config{
		Seed: f.seed, FirstRevision: f.firstRevision(time.Now()), Address: f.addr,
		Quota: int64(f.quota), ObjectBytes: serve.ObjectBytes, InParts: true, Core: true, IdleBookmarks: true,
		Kinds: kinds.BuiltIn(),
	}
	authority, err := f.authority()
	if err != nil {
		return config, err
	}
	config.Guard, config.Reviews = authority.Guard, authority.Reviews()
	serve.Native(&config)
	if config.Definitions, err = readDefinitions(f.crds); err != nil {
		return config, err
	}
	if config.Seed == 0 {
		config.Seed = uint64(time.Now().UnixNano())
	}
	return config, f.coordination(&config)
}

// coordination applies the flags about coordinated election. The gate turns on the two newer versions, and
// --runtime-config overrides it. The oldest version, v1alpha1, excludes the newer ones, because its LeaseCandidate
// has a list of strategies instead of one strategy.
func (f *serveFlags) coordination(config *apiserver.Config) error {
	for name, on := range f.switches(f.gates) {
		if name != gateName {
			return fmt.Errorf("--feature-gates: unknown feature gate %q; the only one is %s", name, gateName)
		}
		if config.Coordinated, _ = strconv.ParseBool(on); on != "true" && on != "false" {
			return fmt.Errorf("--feature-gates: %s=%s must be true or false", name, on)
		}
	}
	serves := map[string]bool{"v1beta1": config.Coordinated, "v1alpha2": config.Coordinated}
	for name, on := range f.switches(f.runtime) {
		group, version, _ := strings.Cut(name, "/")
		if group != coordination.Group || !slices.Contains([]string{"v1beta1", "v1alpha2", "v1alpha1"}, version) {
			return fmt.Errorf("--runtime-config: %q must be %s/v1beta1, /v1alpha2 or /v1alpha1", name,
				coordination.Group)
		}
		if serves[version], _ = strconv.ParseBool(on); on != "true" && on != "false" {
			return fmt.Errorf("--runtime-config: %s=%s must be true or false", name, on)
		}
	}
	if serves["v1alpha1"] && (serves["v1beta1"] || serves["v1alpha2"]) {
		return errors.New(
			"--runtime-config: v1alpha1, with its list of strategies, cannot be served together with v1beta1 or " +
				"v1alpha2; add coordination.k8s.io/v1beta1=false,coordination.k8s.io/v1alpha2=false")
	}
	for _, version := range []string{"v1beta1", "v1alpha2", "v1alpha1"} {
		if serves[version] {
			config.Versions = append(config.Versions, version)
		}
	}
	return nil
}

// switches parses "a=true,b=false"; a name without a value is true. Values stay text, so that the caller can quote a
// wrong value.
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
