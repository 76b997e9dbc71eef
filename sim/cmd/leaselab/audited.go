package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/sim/serve/audit"
	"github.com/leaselab/leaselab/sim/serve/incoming"
	"github.com/leaselab/leaselab/sim/serve/rbac"
)

// checkAudit checks the flags of the audit log.
func (f *serveFlags) checkAudit() error {
	if f.auditLevel != "" { // a test may set no flag
		if err := checkWord("audit-level", f.auditLevel, audit.Levels...); err != nil {
			return err
		}
	}
	if f.auditPath == "" && f.has("audit-level") {
		return fmt.Errorf("--audit-level %s needs --audit-log-path FILE, where the Events go (- means standard output)",
			f.auditLevel)
	}
	return nil
}

// openAuditLog opens the audit log that the flags ask for, or returns nil. It appends, as kube-apiserver does, and only
// the owner may read a new file: at level RequestResponse the log contains all objects. The returned function, closes,
// ends the log.
//
// If a write fails, the server goes on and says so once, and closes returns the error again, so that the process exits
// 1. An audit log is evidence, and its reader must know if a line is missing; but a full disk should not stop an
// election under test.
func (f *serveFlags) openAuditLog(authority *rbac.Authority, out, warnings io.Writer) (log *audit.Log,
	closes func() error, err error) {
	if err := f.checkAudit(); err != nil || f.auditPath == "" {
		return nil, func() error { return nil }, err
	}
	to, file := out, (*os.File)(nil)
	if f.auditPath != "-" {
		if file, err = openAuditFile(f.auditPath); err != nil {
			return nil, nil, err
		}
		to = file
	}
	log = audit.New(to, audit.Level(f.auditLevel), senders(authority), func(err error) {
		fmt.Fprintf(warnings, "--audit-log-path %s: %v; leaselab does not report further losses\n", f.auditPath, err)
	})
	return log, func() error {
		err := log.Err()
		if file != nil {
			err = cmp.Or(err, file.Close())
		}
		if err != nil {
			return fmt.Errorf("--audit-log-path %s is incomplete: %w", f.auditPath, err)
		}
		return nil
	}, nil
}

// openAuditFile opens a file to append Events to it. If its last line has no end, for example after a kill,
// openAuditFile ends that line. Otherwise the next Event would become a part of it.
func openAuditFile(path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_RDWR, 0o600)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, fmt.Errorf("--audit-log-path: %w; create the folder first", err)
	case err != nil:
		return nil, fmt.Errorf("--audit-log-path: %w; name a file that leaselab may append to", err)
	}
	last := make([]byte, 1)
	if info, err := file.Stat(); err == nil && info.Mode().IsRegular() && info.Size() > 0 {
		if _, err := file.ReadAt(last, info.Size()-1); err == nil && last[0] != '\n' {
			_, err = file.WriteString("\n")
			return file, err
		}
	}
	return file, nil
}

// senders tells an audit log who sent a request: the user with the token or, if every client is an administrator, the
// node that the request names. The node's name matters for evidence about several candidates: without tokens, all
// requests would look alike.
func senders(authority *rbac.Authority) func(*http.Request, *apiserver.Request, apiserver.Attributes) audit.Sender {
	return func(r *http.Request, sent *apiserver.Request, asks apiserver.Attributes) audit.Sender {
		u, as, known := authority.Identify(sent, asks)
		if node := incoming.NodeOf(r); node != "" && !known {
			named := rbac.UserNamed(node)
			u = &named
		}
		return audit.Sender{User: u, As: as}
	}
}
