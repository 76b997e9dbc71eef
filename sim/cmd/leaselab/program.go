package main

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/leaselab/leaselab/core/elements"
	"github.com/leaselab/leaselab/core/wire"
	"github.com/leaselab/leaselab/sim/programs"
	"github.com/leaselab/leaselab/sim/serve/credentials"
)

// program is a command under test, and how leaselab learns when a copy of it works.
type program struct {
	command     []string
	from, until *regexp.Regexp // both nil, or neither
	lasts       time.Duration  // see programs.Options.PieceLasts
	definitions []wire.Map     // CustomResourceDefinitions from the beginning
	tls         bool           // its kubeconfig has an HTTPS address
}

// listenTLS opens a listener for HTTPS on a free port, with a new certificate. It returns nil without --tls.
func (p *program) listenTLS() (net.Listener, error) {
	if !p.tls {
		return nil, nil
	}
	certificate, err := credentials.Make(nil, time.Now())
	if err != nil {
		return nil, err
	}
	return tls.Listen("tcp", "127.0.0.1:0", certificate.Config())
}

// newProgram checks a command and its patterns before anything starts. It looks for the program first. Its errors
// distinguish a missing file from a file that is not executable.
func newProgram(command []string, from, until string, lasts time.Duration) (*program, error) {
	p := &program{command: command, lasts: lasts}
	if lasts <= 0 {
		return nil, fmt.Errorf("--work-lasts %s must be longer than 0s", lasts)
	}
	if (from == "") != (until == "") {
		return nil, errors.New("--works-from and --works-until belong together: one line says that the work begins, " +
			"another that it ends")
	}
	if from != "" {
		var err error
		if p.from, err = regexp.Compile(from); err != nil {
			return nil, fmt.Errorf("--works-from %q must be a Go regular expression: %w", from, err)
		}
		if p.until, err = regexp.Compile(until); err != nil {
			return nil, fmt.Errorf("--works-until %q must be a Go regular expression: %w", until, err)
		}
	}
	_, err := exec.LookPath(command[0])
	if errors.Is(err, fs.ErrPermission) {
		return nil, fmt.Errorf("cannot run the program %q: %w; chmod +x %s lets it run", command[0], err, command[0])
	}
	if err != nil {
		return nil, fmt.Errorf("cannot run the program %q: %w; a program in this folder is ./%s", command[0], err,
			strings.TrimPrefix(command[0], "./"))
	}
	for _, argument := range command[1:] {
		for _, found := range placeholder.FindAllStringSubmatch(argument, -1) {
			if !strings.Contains(placeholders, found[1]) {
				return nil, fmt.Errorf("unknown placeholder %s in the argument %q; leaselab replaces %s", found[1],
					argument, placeholders)
			}
		}
	}
	return p, nil
}

// placeholders are the words that leaselab replaces in a copy's arguments. {node} is the older name of {name}.
const placeholders = "{name}, {node}, {index}, {port} and {kubeconfig}"

// `placeholder` matches what looks like one, but not ${variable}, which belongs to a shell.
var placeholder = regexp.MustCompile(`(?:^|[^$])(\{[a-z]+\})`)

// argumentsFor returns the arguments of a candidate's copy. Every {port} in them is the same free port.
func (p *program) argumentsFor(name string, index int, kubeconfig string) ([]string, error) {
	port := ""
	if strings.Contains(strings.Join(p.command[1:], " "), "{port}") {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, fmt.Errorf("cannot find a free port for {port}: %w", err)
		}
		_, port, _ = net.SplitHostPort(listener.Addr().String())
		_ = listener.Close() // the copy takes the port
	}
	replace := strings.NewReplacer("{name}", name, "{node}", name, "{index}", strconv.Itoa(index), "{port}", port,
		"{kubeconfig}", kubeconfig)
	return elements.Of(p.command[1:], replace.Replace), nil
}

// The lines with which client-go says that a program leads and that it has stopped. Most Go programs print them.
var (
	clientGoLeads = regexp.MustCompile(`(?i)successfully acquired lease`)
	clientGoStops = regexp.MustCompile(`(?i)failed to renew lease|leader election lost|stopped leading|released lease`)
)

// takeLine tells a node whether a line of its copy says that work begins or ends. If the user gave no patterns, the
// lines of client-go count for a program that reports nothing else.
func (p *program) takeLine(n *programs.Node, line []byte) {
	switch {
	case p.from == nil && clientGoLeads.Match(line):
		n.Assume(true)
	case p.from == nil && clientGoStops.Match(line):
		n.Assume(false)
	case p.from != nil && p.from.Match(line):
		n.BeginsWork()
	case p.from != nil && p.until.Match(line):
		n.EndsWork()
	}
}
