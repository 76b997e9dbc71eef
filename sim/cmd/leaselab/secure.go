package main

import (
	"cmp"
	"crypto/tls"
	"fmt"
	"net"
	"regexp"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/leaselab/leaselab/sim/serve/credentials"
)

// secure has what the server needs for HTTPS: the flags, and the tokens for its kubeconfig files. Some clients speak
// only HTTPS, and kubectl sends a bearer token only over HTTPS. So --kubeconfig gives users a working client with one
// flag.
type secure struct {
	tls                                 bool
	addr, kubeconfig, certFile, keyFile string
	nodes                               []string

	certificate credentials.Certificate
	admin       string            // the administrator's token
	tokens      map[string]string // node names by token
}

// defaultKubeconfig is the file that --tls writes.
const defaultKubeconfig = "leaselab.kubeconfig"

func (s *secure) flags(c *cobra.Command) {
	c.Flags().BoolVar(&s.tls, "tls", false, "")
	c.Flags().StringVar(&s.kubeconfig, "kubeconfig", "", "")
	c.Flags().StringVar(&s.addr, "tls-addr", "", "")
	c.Flags().StringVar(&s.certFile, "tls-cert-file", "", "")
	c.Flags().StringVar(&s.keyFile, "tls-private-key-file", "", "")
	c.Flags().StringSliceVar(&s.nodes, "nodes", nil, "")
}

// The method on reports whether the server serves HTTPS. Every flag that makes sense only with HTTPS turns HTTPS on.
func (s *secure) on() bool {
	return s.tls || s.kubeconfig != "" || len(s.nodes) > 0 || s.certFile != "" || s.keyFile != ""
}

// nodeName matches a node's name, which becomes part of a file name.
var nodeName = regexp.MustCompile(`^[0-9A-Za-z][0-9A-Za-z._-]{0,62}$`)

// prepare checks the flags and makes the certificate and the tokens. The argument "listens" is the value of --addr. The
// argument "hosts" has other host names that requests may use; the certificate must include these names, too.
//
// A restart keeps the tokens of existing kubeconfig files, so that clients can keep using them. But unless the user
// provides a certificate, the files get a new certificate authority, so clients must read them again.
func (s *secure) prepare(listens string, hosts []string) error {
	if !s.on() {
		if s.addr != "" {
			return fmt.Errorf("--tls-addr %s: add --tls or --kubeconfig FILE", s.addr)
		}
		return nil
	}
	s.kubeconfig = cmp.Or(s.kubeconfig, defaultKubeconfig)
	for i, name := range s.nodes {
		if !nodeName.MatchString(name) {
			return fmt.Errorf(
				"--nodes: %q must consist of at most 63 letters, digits, dots, hyphens and underscores, and begin "+
					"with a letter or a digit, such as --nodes a,b,c", name)
		}
		if slices.Contains(s.nodes[:i], name) {
			return fmt.Errorf("--nodes names %q twice; give each node its own name", name)
		}
	}
	host, err := s.listens(listens)
	if err != nil {
		return err
	}
	if s.certFile != "" || s.keyFile != "" {
		s.certificate, err = credentials.Load(s.certFile, s.keyFile, time.Now())
	} else {
		s.certificate, err = credentials.Make(append([]string{host}, hosts...), time.Now())
	}
	if err != nil {
		return err
	}
	for _, path := range s.paths() {
		if err := credentials.Writable(path); err != nil {
			return err
		}
	}
	s.admin, s.tokens = credentials.TokenAt(s.kubeconfig), map[string]string{}
	for _, name := range s.nodes {
		s.tokens[credentials.TokenAt(credentials.PathOf(s.kubeconfig, name))] = name
	}
	return nil
}

// listens completes the HTTPS address and returns its host. Without --tls-addr, HTTPS uses the next port of the same
// host, for example 8766 after 8765. Port 0 stays 0, so the system picks another free port.
func (s *secure) listens(plain string) (host string, err error) {
	if s.addr != "" {
		if host, _, err = net.SplitHostPort(s.addr); err != nil {
			err = fmt.Errorf("--tls-addr %q must be HOST:PORT, such as 127.0.0.1:6443: %w", s.addr, err)
		}
		return host, err
	}
	host, port, err := net.SplitHostPort(plain)
	if err != nil {
		return "", err // the plain listener reports this error
	}
	if number, err := strconv.Atoi(port); err == nil && number > 0 {
		port = strconv.Itoa(number + 1)
	}
	s.addr = net.JoinHostPort(host, port)
	return host, nil
}

// paths returns the kubeconfig files: the administrator's first, then the nodes'.
func (s *secure) paths() []string {
	paths := []string{s.kubeconfig}
	for _, name := range s.nodes {
		paths = append(paths, credentials.PathOf(s.kubeconfig, name))
	}
	return paths
}

// listen opens the HTTPS listener, or returns nil without HTTPS.
func (s *secure) listen() (net.Listener, error) {
	if !s.on() {
		return nil, nil
	}
	listener, err := net.Listen("tcp", s.addr)
	if err != nil {
		return nil, fmt.Errorf("--tls-addr %s: choose another address, or --tls-addr 127.0.0.1:0 for a free port: %w",
			s.addr, err)
	}
	return tls.NewListener(listener, s.certificate.Config()), nil
}

// writeKubeconfigs writes the kubeconfig files for a listener and returns lines for the user about these files. Without
// HTTPS it writes no file and returns "". A node's user is "node:NAME". The server identifies a node only by its token,
// so a program with a copy of the file is the same node.
func (s *secure) writeKubeconfigs(listener net.Listener) (said string, err error) {
	if listener == nil {
		return "", nil
	}
	url := "https://" + reachable(listener.Addr())
	users := map[string]string{"admin": s.admin}
	for token, name := range s.tokens {
		users["node:"+name] = token
	}
	for i, path := range s.paths() {
		user := "admin"
		if i > 0 {
			user = "node:" + s.nodes[i-1]
		}
		k := credentials.Kubeconfig{Server: url, User: user, Token: users[user], Authority: s.certificate.Authority}
		if err := k.Write(path); err != nil {
			return "", err
		}
	}
	said = fmt.Sprintf("the API is also at %s/: kubectl --kubeconfig %s get leases -A\n", url, s.kubeconfig)
	for i, name := range s.nodes {
		said += fmt.Sprintf("node %s: KUBECONFIG=%s\n", name, s.paths()[i+1])
	}
	return said, nil
}

// reachable returns a listener's address for clients on this machine: an unspecified address becomes loopback.
func reachable(address net.Addr) string {
	host, port, err := net.SplitHostPort(address.String())
	if ip := net.ParseIP(host); err == nil && ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return net.JoinHostPort(host, port)
}
