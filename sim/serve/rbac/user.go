package rbac

import (
	"crypto/sha256"
	"slices"
	"strings"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/core/apiserver/validate"
)

// User is the sender of a request.
type User struct {
	Name, UID string
	Groups    []string
	Extra     map[string][]string
}

// The names that have a meaning in upstream.
// Source: apiserver v0.36 pkg/authentication/user user.go, pkg/authentication/serviceaccount util.go.
const (
	Masters         = "system:masters" // members may do everything
	authenticated   = "system:authenticated"
	unauthenticated = "system:unauthenticated"
	anonymous       = "system:anonymous"
	serviceAccount  = "system:serviceaccount:"
	nodePrefix      = "system:node:"
)

// Nodes is the group of the nodes that `leaselab serve --nodes` names.
const Nodes = "leaselab:nodes"

// Admin returns the administrator.
func Admin() User { return authenticatedUser("system:admin", Masters) }

// UserNamed returns an authenticated user, who is a member of groups. A user with the name of a service account is also
// a member of that account's groups.
func UserNamed(name string, groups ...string) User {
	if namespace, _, is := accountOf(name); is {
		groups = append(accountGroups(namespace), groups...)
	}
	return authenticatedUser(name, groups...)
}

func authenticatedUser(name string, groups ...string) User {
	return User{Name: name, Groups: append(groups, authenticated)}
}

// accountOf splits the user name of a service account into the account's namespace and name.
func accountOf(user string) (namespace, name string, is bool) {
	namespace, name, is = strings.Cut(strings.TrimPrefix(user, serviceAccount), ":")
	is = is && strings.HasPrefix(user, serviceAccount) && !strings.Contains(name, ":") &&
		validate.IsDNSLabel(namespace) && len(validate.SubdomainName(name, false)) == 0
	return namespace, name, is
}

func accountGroups(namespace string) []string {
	return []string{"system:serviceaccounts", "system:serviceaccounts:" + namespace}
}

// token returns the bearer token of a request, or "". `spaced` is true if the token follows two spaces. Source:
// apiserver v0.36 pkg/authentication/request/bearertoken bearertoken.go.
func token(r *apiserver.Request) (token string, spaced bool) {
	parts := strings.SplitN(strings.TrimSpace(r.Header["authorization"]), " ", 3)
	if len(parts) < 2 || !strings.EqualFold(parts[0], "bearer") {
		return "", false
	}
	return parts[1], parts[1] == "" && len(parts) == 3
}

// `tokens` maps hashes of tokens to users. The time of a lookup depends on the hash, so it reveals nothing about the
// token.
type tokens map[[sha256.Size]byte]User

func (t tokens) user(token string) (User, bool) {
	u, known := t[sha256.Sum256([]byte(token))]
	return u, known && token != ""
}

// `with` adds a group to groups, unless groups already contains it.
func with(groups []string, more string) []string {
	if slices.Contains(groups, more) {
		return groups
	}
	return append(slices.Clone(groups), more)
}
