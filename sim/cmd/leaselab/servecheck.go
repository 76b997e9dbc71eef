package main

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/leaselab/leaselab/sim/serve"
)

// notListening is the error for an address on which the server cannot listen.
func notListening(addr string, err error) error {
	return fmt.Errorf(
		"--addr %s: %w; use an address of this machine and a free port, such as 127.0.0.1:8765, or port 0 for "+
			"any", addr, err)
}

// check refuses wrong flags before the server creates any file. A flag without effect is an error, too. The error says
// why the flag has no effect and what to do. A user who gives --quota with --faults, for example, would believe that a
// quota is in effect.
func (f *serveFlags) check() error {
	if _, err := serve.NewAccess(f.addr, f.acceptHosts, f.embedFrom); err != nil {
		return err
	}
	if err := cmp.Or(f.agree(), f.oneFileEach(), f.checkAudit()); err != nil {
		return err
	}
	if _, err := f.page(); err != nil {
		return err
	}
	return checkTokens(f.tokens, f.users)
}

// has reports whether the user gave a flag. It returns false in tests, which make serveFlags without a command line.
func (f *serveFlags) has(flag string) bool { return f.flags != nil && f.flags.Changed(flag) }

// contradictions are pairs of flags that do not work together: the simulation, or the scenario that real clients play,
// decides what the flag says.
var contradictions = []struct{ flag, with, why string }{
	{"scenario", "faults", "one simulates candidates, the other uses real ones; omit one of them"},
	{"fixture", "faults", "a record contains what happens after the start, and no objects from before it; create " +
		"them with kubectl apply -f once the server runs"},
	{"data", "faults", "the acts and the verdict assume an API server that is empty at the start; --record FILE " +
		"keeps what happens, for run, explain and import"},
	{"quota", "faults", "the run's memory grows with everything that happens, not only with objects; omit --quota"},
	{"fixture", "scenario", "the simulation creates the objects; create more with kubectl once it runs"},
	{"data", "scenario", "a simulation starts anew each time; omit one of them"},
	{"crds", "scenario", "a simulation serves only the objects of its elections; omit one of them"},
	{"feature-gates", "scenario", "a simulation always serves LeaseCandidates; omit it"},
	{"runtime-config", "scenario", "the scenario's leaseCandidateVersion says which versions are served; omit it"},
}

// agree refuses flags that contradict each other, and flags that have no effect without others.
func (f *serveFlags) agree() error {
	for _, one := range contradictions {
		if f.has(one.flag) && f.has(one.with) {
			return fmt.Errorf("--%s %s cannot be combined with --%s: %s", one.flag, f.flags.Lookup(one.flag).Value,
				one.with, one.why)
		}
	}
	switch {
	case f.faults == "" && f.record != "":
		return fmt.Errorf(
			"--record %s needs --faults FILE, which names the candidates; a scenario without actions plays no faults",
			f.record)
	case f.scenario == "" && f.has("speed"):
		return fmt.Errorf("--speed %g needs --scenario NAME: only a simulation has a speed", f.speed)
	case !f.anonymous && f.has("anonymous-auth") && f.rbac == "" && f.authorization == "AlwaysAllow" &&
		len(f.tokens) == 0:
		return errors.New(
			"--anonymous-auth=false needs roles or tokens, because without them every client is an administrator: " +
				"add --rbac FILE or --token TOKEN")
	}
	return nil
}

// oneFileEach refuses two flags that would write the same file. It compares cleaned paths and does not follow links, so
// it catches only simple mistakes.
func (f *serveFlags) oneFileEach() error {
	taken := map[string]string{}
	for _, one := range [][2]string{{"--data", f.data}, {"--record", f.record}, {"--audit-log-path", f.auditPath},
		{"--kubeconfig", f.secure.kubeconfig}} {
		if one[1] == "" || one[1] == "-" {
			continue
		}
		path := filepath.Clean(one[1])
		if other := taken[path]; other != "" {
			return fmt.Errorf("%s and %s name the same file %s; name two files", other, one[0], path)
		}
		taken[path] = one[0]
	}
	return nil
}

// checkTokens refuses tokens with line breaks or outer spaces. No client can send them: a header ends at a line
// break, and clients trim spaces.
func checkTokens(admins []string, users tokenUsers) error {
	of := map[string][]string{"--token": admins, "--user": slices.Sorted(maps.Keys(users))}
	for _, flag := range []string{"--token", "--user"} {
		for _, token := range of[flag] {
			if token == "" {
				return fmt.Errorf("%s: one of the tokens is empty; leave out the comma, or give it", flag)
			}
			if strings.ContainsFunc(token, func(c rune) bool { return unicode.IsSpace(c) || !unicode.IsPrint(c) }) {
				return fmt.Errorf(
					"%s: the token %q must not contain spaces or invisible characters, because no client can send them",
					flag, token)
			}
		}
	}
	return nil
}

// tokenUsers maps tokens to user names. The flag's value is TOKEN=NAME,TOKEN=NAME. The flag may appear several times,
// and all its values count.
type tokenUsers map[string]string

// String implements pflag.Value. It sorts the pairs by token.
func (u *tokenUsers) String() string {
	var all []string
	for _, token := range slices.Sorted(maps.Keys(*u)) {
		all = append(all, token+"="+(*u)[token])
	}
	return strings.Join(all, ",")
}

// Set implements pflag.Value. It refuses one token for two users, since the server could not tell their requests apart.
func (u *tokenUsers) Set(text string) error {
	for _, one := range strings.Split(text, ",") {
		token, name, is := strings.Cut(one, "=")
		switch {
		case !is || token == "" || name == "":
			return errors.New("must be TOKEN=NAME, such as s3cret=bob")
		case (*u)[token] != "" && (*u)[token] != name:
			return fmt.Errorf("repeats the token of %s; give each user a different token", (*u)[token])
		case *u == nil:
			*u = tokenUsers{}
		}
		(*u)[token] = name
	}
	return nil
}

// Type implements pflag.Value.
func (u *tokenUsers) Type() string { return "TOKEN=NAME" }
