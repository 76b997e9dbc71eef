package main

import (
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
	if f.auditPath == "" && f.levelGiven {
		return fmt.Errorf("--audit-level %s needs --audit-log-path FILE, where the Events go (- means standard output)",
			f.auditLevel)
	}
	return nil
}

// openAuditLog makes the API write the audit log that the flags ask for. It appends, as kube-apiserver does, and only
// the owner may read the file: at level RequestResponse the log contains all objects. The returned function, closes,
// ends the log. If a write fails, the server goes on and says so once. An audit log is evidence, and its reader must
// know if a line is missing; but a full disk should not stop an election under test.
func (f *serveFlags) openAuditLog(api *http.Handler, out, warnings io.Writer) (closes func(), err error) {
	if err := f.checkAudit(); err != nil || f.auditPath == "" {
		return func() {}, err
	}
	authority, err := f.authority()
	if err != nil {
		return nil, err
	}
	to, closes := out, func() {}
	if f.auditPath != "-" {
		file, err := os.OpenFile(f.auditPath, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600) // the log has all objects
		if errors.Is(err, os.ErrNotExist) {
			return nil, fmt.Errorf("--audit-log-path: %w; create the folder first", err)
		}
		if err != nil {
			return nil, fmt.Errorf("--audit-log-path: %w; name a file that leaselab may append to", err)
		}
		to, closes = file, func() {
			if err := file.Close(); err != nil {
				fmt.Fprintln(warnings, "--audit-log-path:", err)
			}
		}
	}
	*api = audit.New(to, audit.Level(f.auditLevel), senders(authority), func(err error) {
		fmt.Fprintf(warnings, "--audit-log-path %s: %v; leaselab does not report further losses\n", f.auditPath, err)
	}).Wrap(*api)
	return closes, nil
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
