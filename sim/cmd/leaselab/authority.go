package main

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/leaselab/leaselab/sim/serve/rbac"
)

// authority returns the rules about who may send requests, according to the flags.
//
//	no flag                 everybody is an administrator
//	--token T               who has T is an administrator; others get 401
//	--rbac FILE             roles decide; administrators are the holders of --token and of the kubeconfig file
//	--user TOKEN=NAME       who has TOKEN is NAME, for whom the roles decide
//
// RBAC without any administrator is an error rather than a locked server, since roles live in the file and no client
// could change anything. The same token in two flags is an error, too: one of the two users would silently win.
func (f *serveFlags) authority() (*rbac.Authority, error) {
	config := rbac.Config{Users: map[string]rbac.User{}, Anonymous: f.anonymous, Open: len(f.tokens) == 0}
	allow := f.authorization == "AlwaysAllow"
	switch {
	case !allow && f.authorization != "RBAC":
		return nil, fmt.Errorf("--authorization-mode %q must be AlwaysAllow or RBAC", f.authorization)
	case allow && f.rbac == "":
	case allow && f.has("authorization-mode"):
		return nil,
			errors.New(
				"--rbac needs --authorization-mode=RBAC, because with AlwaysAllow roles do not matter; omit " +
					"--authorization-mode")
	case len(f.tokens) == 0 && !f.secure.on():
		return nil,
			errors.New(
				"with RBAC the server needs an administrator: add --kubeconfig FILE, which creates a token, or " +
					"--token TOKEN")
	default:
		policy, err := rbac.Load(f.rbac)
		if err != nil {
			return nil, err
		}
		config.Policy, config.Open = policy, false
	}
	for _, token := range f.tokens {
		config.Users[token] = rbac.Admin()
	}
	for _, token := range slices.Sorted(maps.Keys(f.users)) {
		if _, twice := config.Users[token]; twice || token == "" || f.users[token] == "" {
			return nil, fmt.Errorf("--user %s=%s must be TOKEN=NAME; choose a token that --token does not use", token,
				f.users[token])
		}
		config.Users[token] = rbac.UserNamed(f.users[token])
	}
	if f.secure.on() {
		config.Users[f.secure.admin] = rbac.Admin()
	}
	for token, name := range f.secure.tokens {
		config.Users[token] = rbac.UserNamed(name, rbac.Nodes)
	}
	return rbac.New(config), nil
}
