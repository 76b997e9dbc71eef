package main

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"

	"github.com/leaselab/leaselab/sim/serve"
	"github.com/leaselab/leaselab/sim/serve/audit"
	"github.com/leaselab/leaselab/sim/serve/incoming"
)

// audited lets the API write the audit log that the flags ask for.
func (f *serveFlags) audited(api *http.Handler, out, warnings io.Writer) (closes func(), err error) {
	if f.auditLevel != "" { // a test may have set no flag
		if err := checkWord("audit-level", f.auditLevel, audit.Levels...); err != nil {
			return nil, err
		}
	}
	if f.auditPath == "" {
		return func() {}, nil
	}
	to, closes := out, func() {}
	if f.auditPath != "-" {
		file, err := os.OpenFile(f.auditPath, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600) // it has all objects
		if errors.Is(err, os.ErrNotExist) {
			return nil, fmt.Errorf("--audit-log-path: %w; create the folder first", err)
		}
		if err != nil {
			return nil, fmt.Errorf("--audit-log-path: %w; it must be a file that leaselab may append to", err)
		}
		to, closes = file, func() {
			if err := file.Close(); err != nil {
				fmt.Fprintln(warnings, "--audit-log-path:", err)
			}
		}
	}
	nodeOf := func(r *http.Request) string {
		if token, is := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); is && f.users[token] != "" {
			return f.users[token]
		}
		if name := serve.NodeOf(r); name != "" {
			return name
		}
		return incoming.NodeOf(r)
	}
	*api = audit.New(to, audit.Level(f.auditLevel), nodeOf, func(err error) {
		fmt.Fprintf(warnings, "--audit-log-path %s: %v; further losses are not told\n", f.auditPath, err)
	}).Around(*api)
	return closes, nil
}
