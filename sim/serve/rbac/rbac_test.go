package rbac_test

import (
	"encoding/json"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/sim/serve/rbac"
)

// lab is a server with roles. Tokens are names of users.
type lab struct {
	t      *testing.T
	server *apiserver.Server
}

func policy(t *testing.T, text string) *rbac.Policy {
	t.Helper()
	path := filepath.Join(t.TempDir(), "roles.yaml")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	p, err := rbac.Load(path)
	require.NoError(t, err)
	return p
}

func newLab(t *testing.T, config rbac.Config) *lab {
	t.Helper()
	authority := rbac.New(config)
	return &lab{t, apiserver.New(apiserver.Config{Guard: authority.Guard, Reviews: authority.Reviews(), FirstRevision: 1})}
}

// ask sends a request with the token of a user, "" for none, and more headers, name and value in turn.
func (l *lab) ask(user, method, target, body string, more ...string) (code int, answer map[string]any) {
	l.t.Helper()
	r := apiserver.Request{Method: method, Body: []byte(body), Header: map[string]string{"content-type": "application/json"}}
	if user != "" {
		r.Header["authorization"] = "Bearer " + user
	}
	for i := 0; i < len(more); i += 2 {
		r.Header[more[i]] = more[i+1]
	}
	r.Path, r.Query, _ = apiserver.ParseTarget(target)
	sent := l.server.Handle(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), &r)
	if json.Unmarshal(sent.Body, &answer) != nil {
		answer = map[string]any{"message": string(sent.Body)}
	}
	return sent.Status, answer
}

func users(names ...string) map[string]rbac.User {
	all := map[string]rbac.User{"admin": rbac.Admin()}
	for _, name := range names {
		all[name] = rbac.UserNamed(name)
	}
	return all
}

const (
	leases = "/apis/coordination.k8s.io/v1/namespaces/ns-a/leases"
	header = "apiVersion: rbac.authorization.k8s.io/v1\n"
)

// grant returns a ClusterRole with rules that user u has everywhere.
func grant(rules string) string {
	return header + "kind: ClusterRole\nmetadata: {name: r}\nrules: [" + rules + "]\n---\n" + header +
		"kind: ClusterRoleBinding\nmetadata: {name: b}\nroleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: r}\nsubjects: [{kind: User, name: u}]\n"
}

// What each part of a rule allows, and nothing else.
func TestRules(t *testing.T) {
	for _, c := range []struct {
		rule           string
		fine, refused  []string // "METHOD target"
		ofUser, reason string
	}{
		{
			rule:    `{apiGroups: [coordination.k8s.io], resources: [leases], verbs: [get, list]}`,
			fine:    []string{"GET " + leases + "/x", "GET " + leases, "GET /apis/coordination.k8s.io/v1/leases"},
			refused: []string{"GET " + leases + "?watch=1", "DELETE " + leases + "/x", "DELETE " + leases, "GET /api/v1/namespaces/ns-a", "GET " + leases + "/x/status"},
		},
		{
			rule:    `{apiGroups: [coordination.k8s.io], resources: [leases], resourceNames: [x, w], verbs: ["*"]}`,
			fine:    []string{"GET " + leases + "/x", "DELETE " + leases + "/w", "GET " + leases + "?fieldSelector=metadata.name=x"},
			refused: []string{"GET " + leases + "/z", "GET " + leases, "POST " + leases},
		},
		{
			rule:    `{apiGroups: ["*"], resources: ["*"], verbs: [get]}`,
			fine:    []string{"GET " + leases + "/x", "GET /api/v1/namespaces/ns-a", "GET /api/v1/namespaces/ns-a/status", "GET /apis/apps/v1/namespaces/ns-a/deployments/d/scale"},
			refused: []string{"GET " + leases, "GET /metrics"},
		},
		{
			rule:    `{apiGroups: [""], resources: [namespaces/finalize, "*/status"], verbs: ["*"]}`,
			fine:    []string{"PUT /api/v1/namespaces/ns-a/finalize", "GET /api/v1/namespaces/ns-a/status"},
			refused: []string{"GET /api/v1/namespaces/ns-a", "GET " + leases + "/x/status"},
		},
		{
			rule:    `{nonResourceURLs: [/metrics, "/logs/*"], verbs: [get]}`,
			fine:    []string{"GET /metrics", "GET /logs/a/b", "GET /logs/", "GET /version", "GET /apis"},
			refused: []string{"POST /metrics", "GET /metrics/x", "GET /logs", "GET " + leases},
		},
	} {
		l := newLab(t, rbac.Config{Users: users("u", "other"), Policy: policy(t, grant(c.rule))})
		for _, asks := range c.fine {
			method, target, _ := strings.Cut(asks, " ")
			code, answer := l.ask("u", method, target, "{}")
			assert.NotEqual(t, 403, code, "%s: %s: %v", c.rule, asks, answer)
			if !strings.HasPrefix(target, "/version") && !strings.HasPrefix(target, "/apis") || strings.Contains(target, "leases") {
				code, _ = l.ask("other", method, target, "{}")
				assert.Equal(t, 403, code, "%s: %s by another user", c.rule, asks)
			}
		}
		for _, asks := range c.refused {
			method, target, _ := strings.Cut(asks, " ")
			code, _ := l.ask("u", method, target, "{}")
			assert.Equal(t, 403, code, "%s: %s", c.rule, asks)
		}
	}
}

// Users, groups and service accounts; a RoleBinding grants in its namespace only, also a ClusterRole.
func TestBindings(t *testing.T) {
	bind := func(kind, namespace, role, subjects string) string {
		return header + "kind: " + kind + "\nmetadata: {name: b" + namespace + ", namespace: " + namespace + "}\nroleRef: {apiGroup: rbac.authorization.k8s.io, kind: " + role +
			", name: r}\nsubjects: [" + subjects + "]\n---\n"
	}
	role := func(kind, namespace string) string {
		return header + "kind: " + kind + "\nmetadata: {name: r, namespace: " + namespace + "}\nrules: [{apiGroups: [coordination.k8s.io], resources: [leases], verbs: [list]}]\n---\n"
	}
	all := users("u", "system:serviceaccount:ns-a:bot", "system:serviceaccount:ns-b:bot")
	all["g"] = rbac.UserNamed("of-group", "team")
	in := func(namespace string) string {
		return "/apis/coordination.k8s.io/v1/namespaces/" + namespace + "/leases"
	}
	for _, c := range []struct {
		text          string
		fine, refused [][2]string // user and namespace
	}{
		{role("Role", "ns-a") + bind("RoleBinding", "ns-a", "Role", "{kind: User, name: u}"), [][2]string{{"u", "ns-a"}}, [][2]string{{"u", "ns-b"}, {"g", "ns-a"}, {"u", ""}}},
		{role("ClusterRole", "") + bind("RoleBinding", "ns-a", "ClusterRole", "{kind: Group, name: team}"), [][2]string{{"g", "ns-a"}}, [][2]string{{"g", "ns-b"}, {"u", "ns-a"}}},
		{role("ClusterRole", "") + bind("ClusterRoleBinding", "", "ClusterRole", "{kind: Group, name: team}, {kind: User, name: u}"), [][2]string{{"g", "ns-b"}, {"u", ""}}, nil},
		{
			role("Role", "ns-a") + bind("RoleBinding", "ns-a", "Role", "{kind: ServiceAccount, name: bot}"),
			[][2]string{{"system:serviceaccount:ns-a:bot", "ns-a"}},
			[][2]string{{"system:serviceaccount:ns-b:bot", "ns-a"}, {"u", "ns-a"}},
		},
		{
			role("Role", "ns-a") + bind("RoleBinding", "ns-a", "Role", "{kind: ServiceAccount, name: bot, namespace: ns-b}"),
			[][2]string{{"system:serviceaccount:ns-b:bot", "ns-a"}},
			[][2]string{{"system:serviceaccount:ns-a:bot", "ns-a"}, {"system:serviceaccount:ns-b:bot", "ns-b"}},
		},
		{role("ClusterRole", "") + bind("ClusterRoleBinding", "", "ClusterRole", "{kind: Group, name: \"system:serviceaccounts:ns-a\"}"), [][2]string{{"system:serviceaccount:ns-a:bot", "ns-b"}}, [][2]string{{"system:serviceaccount:ns-b:bot", "ns-b"}}},
	} {
		l := newLab(t, rbac.Config{Users: all, Policy: policy(t, c.text)})
		for want, asks := range map[int][][2]string{200: c.fine, 403: c.refused} {
			for _, one := range asks {
				target := in(one[1])
				if one[1] == "" {
					target = "/apis/coordination.k8s.io/v1/leases"
				}
				code, answer := l.ask(one[0], "GET", target, "")
				assert.Equal(t, want, code, "%s: %v: %v", c.text, one, answer)
			}
		}
	}
}

// The roles of every server: who may read discovery, who may ask about themselves, and what the roles to bind hold.
func TestDefaults(t *testing.T) {
	bind := func(role string) string {
		return header + "kind: RoleBinding\nmetadata: {name: " + role + ", namespace: ns-" + role + "}\nroleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: " +
			role + "}\nsubjects: [{kind: User, name: u}]\n---\n"
	}
	l := newLab(t, rbac.Config{Users: users("u"), Anonymous: true, Policy: policy(t, bind("view")+bind("edit")+bind("admin"))})
	for asks, want := range map[string][3]int{ // by admin, u, nobody
		"GET /version": {200, 200, 200}, "GET /livez": {200, 200, 200}, "GET /livez/ping": {200, 403, 403},
		"GET /apis/coordination.k8s.io/v1": {200, 200, 403}, "GET /": {200, 403, 403},
		"GET " + leases: {200, 403, 403},
		"POST /apis/authentication.k8s.io/v1/selfsubjectreviews":            {201, 201, 403},
		"GET /apis/coordination.k8s.io/v1/namespaces/ns-view/leases":        {200, 403, 403},
		"GET /apis/coordination.k8s.io/v1/namespaces/ns-edit/leases":        {200, 200, 403},
		"GET /apis/coordination.k8s.io/v1/namespaces/ns-admin/leases":       {200, 200, 403},
		"GET /api/v1/namespaces/ns-view":                                    {404, 404, 403},
		"GET /api/v1/namespaces":                                            {200, 403, 403},
		"DELETE /apis/coordination.k8s.io/v1/namespaces/ns-edit/leases/not": {404, 404, 403},
	} {
		method, target, _ := strings.Cut(asks, " ")
		for i, user := range []string{"admin", "u", ""} {
			code, answer := l.ask(user, method, target, "{}")
			assert.Equal(t, want[i], code, "%s by %q: %v", asks, user, answer)
		}
	}
	code, _ := l.ask("nobody", "GET", "/version", "")
	assert.Equal(t, 401, code, "a wrong token is not the same as none")
	noAnonymous := newLab(t, rbac.Config{Users: users(), Policy: rbac.Defaults()})
	code, _ = noAnonymous.ask("", "GET", "/version", "")
	assert.Equal(t, 401, code)
}

// The token names the node, and nothing else does.
func TestNodeOf(t *testing.T) {
	a := rbac.New(rbac.Config{Users: map[string]rbac.User{
		"s3cret": rbac.UserNamed("a", rbac.Nodes), "other": rbac.UserNamed("b", rbac.Nodes), "user": rbac.UserNamed("c"),
	}})
	for header, want := range map[string]string{
		"Bearer s3cret": "a", "bearer s3cret": "a", "Bearer other more": "b", "Bearer user": "", "Bearer  s3cret": "", "Bearer": "",
		"Bearer s3cret2": "", "Basic s3cret": "", "": "",
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.Header.Set("Authorization", header)
		r.Header.Set("X-Remote-User", "a")
		assert.Equal(t, want, a.NodeOf(r), header)
	}
}

// Without a policy known users may do everything, and so may all others if the authority is open.
func TestWithoutAPolicy(t *testing.T) {
	for _, open := range []bool{true, false} {
		l := newLab(t, rbac.Config{Users: users("u"), Open: open, Anonymous: true})
		for user, want := range map[string]int{"admin": 200, "u": 200, "": 401, "nobody": 401} {
			if open {
				want = 200
			}
			code, _ := l.ask(user, "GET", leases, "")
			assert.Equal(t, want, code, "%q, open: %v", user, open)
		}
		_, answer := l.ask("u", "POST", "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews", `{"spec":{"namespace":"x"}}`)
		assert.Equal(t, map[string]any{
			"incomplete":       false,
			"resourceRules":    []any{map[string]any{"verbs": []any{"*"}, "apiGroups": []any{"*"}, "resources": []any{"*"}}},
			"nonResourceRules": []any{map[string]any{"verbs": []any{"*"}, "nonResourceURLs": []any{"*"}}},
		}, answer["status"])
	}
}

// A request to impersonate is never ignored: without RBAC it is refused.
func TestImpersonationNeedsRBAC(t *testing.T) {
	for _, open := range []bool{true, false} {
		l := newLab(t, rbac.Config{Users: users(), Open: open})
		code, answer := l.ask("admin", "GET", leases, "", "impersonate-user", "<bob>")
		assert.Equal(t, 403, code)
		assert.Equal(t, `users "&lt;bob&gt;" is forbidden: User "system:admin" cannot impersonate, because authorization is off and every user may do everything: start leaselab serve with --rbac FILE`, answer["message"])
		code, _ = l.ask("admin", "POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", "{}", "impersonate-user", "bob")
		assert.Equal(t, 403, code)
		code, _ = l.ask("admin", "GET", "/apis", "", "impersonate-user", "bob")
		assert.Equal(t, 200, code, "kubectl words a refusal of discovery as unknown")
	}
}

// The reviews' answers, whole.
func TestReviews(t *testing.T) {
	l := newLab(t, rbac.Config{Users: users("u"), Policy: policy(t, grant(`{apiGroups: [coordination.k8s.io], resources: [leases], resourceNames: [x], verbs: [get]}`))})
	const accesses = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews"
	access := func(user, spec string) map[string]any {
		code, answer := l.ask(user, "POST", accesses, `{"spec":`+spec+`}`)
		require.Equal(t, 201, code, "%v", answer)
		assert.Equal(t, "SelfSubjectAccessReview", answer["kind"])
		assert.NotEmpty(t, answer["spec"])
		return answer["status"].(map[string]any)
	}
	get := `{"resourceAttributes":{"verb":"get","group":"coordination.k8s.io","resource":"leases","name":"x","namespace":"ns-a"}}`
	assert.Equal(t, map[string]any{"allowed": true, "reason": `RBAC: allowed by ClusterRoleBinding "b" of ClusterRole "r" to User "u"`}, access("u", get))
	assert.Equal(t, map[string]any{"allowed": true, "reason": `RBAC: allowed by ClusterRoleBinding "cluster-admin" of ClusterRole "cluster-admin" to Group "system:masters"`}, access("admin", get))
	assert.Equal(t, map[string]any{"allowed": false}, access("u", strings.Replace(get, `"x"`, `"y"`, 1)))
	assert.Equal(t, true, access("u", `{"nonResourceAttributes":{"verb":"get","path":"/version"}}`)["allowed"])
	assert.Equal(t, false, access("u", `{"nonResourceAttributes":{"verb":"get","path":"/metrics"}}`)["allowed"])
	for body, says := range map[string]string{
		`{"spec":{}}`: `.authorization.k8s.io "" is invalid: spec.resourceAttributes: Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified`,
		`{"spec":{"resourceAttributes":{"verb":"get"},"nonResourceAttributes":{"path":"/"}}}`: `.authorization.k8s.io "" is invalid: spec.nonResourceAttributes: Invalid value: {"path":"/"}: cannot be specified in combination with resourceAttributes`,
		`{"metadata":{"name":"n"},"spec":{"resourceAttributes":{"verb":"get"}}}`:              `.authorization.k8s.io "" is invalid: metadata: Invalid value: {"name":"n"}: must be empty`,
	} {
		code, answer := l.ask("u", "POST", accesses, body)
		assert.Equal(t, 422, code)
		assert.Equal(t, says, answer["message"])
	}
	code, answer := l.ask("u", "POST", "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews", `{"spec":{}}`)
	assert.Equal(t, 400, code)
	assert.Equal(t, "no namespace on request", answer["message"])
	for _, asks := range []string{"GET " + accesses, "DELETE " + accesses, "GET " + accesses + "/x", "PUT " + accesses + "/x"} {
		method, target, _ := strings.Cut(asks, " ")
		code, _ := l.ask("admin", method, target, "{}")
		assert.Equal(t, 405, code, asks)
	}
	_, answer = l.ask("u", "POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", `{}`)
	assert.Equal(t, map[string]any{
		"kind": "SelfSubjectReview", "apiVersion": "authentication.k8s.io/v1", "metadata": map[string]any{"creationTimestamp": "2026-01-01T00:00:00Z"},
		"status": map[string]any{"userInfo": map[string]any{"username": "u", "groups": []any{"system:authenticated"}}},
	}, answer)
}

// Each fault of a file gets one sentence with the object, the field and the fix.
func TestBadFiles(t *testing.T) {
	role := header + "kind: Role\nmetadata: {name: r, namespace: ns}\n"
	binding := header + "kind: RoleBinding\nmetadata: {name: b, namespace: ns}\n"
	ref := "roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: view}\n"
	for text, says := range map[string]string{
		"\t":                          "document 1: yaml",
		"{}":                          `apiVersion "", kind "": the file must contain Roles`,
		"apiVersion: v1\nkind: Pod\n": `apiVersion "v1", kind "Pod": the file must contain Roles`,
		role + "rules: [{verbs: [get], verbs: [list]}]":                          `key "verbs" already set`,
		role + "rules: [{verb: [get]}]":                                          `Role "r": unknown field "verb"; correct the field, or remove it`,
		role + "rules: get":                                                      `document 1: Role "r": rules: a string, where a list belongs`,
		role + "rules: [{apiGroups: [x], verbs: [y]}]":                           `Role "r": rules.verbs: a bool, where a string belongs; in YAML write y, n, on, off`,
		role + "rules: [{apiGroups: [x], resources: [x]}]":                       `Role "r": rules[0].verbs: Required value`,
		role + "rules: [{verbs: [get], resources: [x]}]":                         `rules[0].apiGroups: Required value`,
		role + "rules: [{verbs: [get], apiGroups: [x]}]":                         `rules[0].resources: Required value`,
		role + "rules: [{verbs: [get], nonResourceURLs: [/]}]":                   `use a ClusterRole`,
		header + "kind: ClusterRole\nmetadata: {name: c}\naggregationRule: {}\n": `ClusterRole "c": aggregationRule: no controller here collects the rules of other roles; list the rules instead`,
		header + "kind: ClusterRole\nrules: []\n":                                `metadata.name: Required value`,
		header + "kind: ClusterRole\nmetadata: {name: a/b}\n":                    `metadata.name: Invalid value: "a/b"`,
		header + "kind: Role\nmetadata: {name: c}\n":                             `metadata.namespace: name the namespace, or make it a ClusterRole`,
		binding: `roleRef.apiGroup: Unsupported value: ""`,
		binding + "roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Roll, name: r}":                            `roleRef.kind: Unsupported value: "Roll": supported values: "Role", "ClusterRole"`,
		binding + "roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role}":                                     `roleRef.name: Required value`,
		binding + "roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: r}":                            `RoleBinding "b" in namespace "ns": roleRef names the Role "r", which the file does not have; namespace "ns" has no Role`,
		binding + strings.Replace(ref, "view", "views", 1):                                                         `roleRef names the ClusterRole "views", which the file does not have; use one of cluster-admin,`,
		binding + ref + "subjects: [{kind: Users, name: u}]":                                                       `subjects[0].kind: Unsupported value: "Users": supported values: "ServiceAccount", "User", "Group"`,
		binding + ref + "subjects: [{kind: User}]":                                                                 `subjects[0].name: Required value`,
		binding + ref + "subjects: [{kind: User, name: u, apiGroup: x}]":                                           `subjects[0].apiGroup: Unsupported value: "x"`,
		strings.Replace(binding, "RoleB", "ClusterRoleB", 1) + ref + "subjects: [{kind: ServiceAccount, name: u}]": `subjects[0].namespace: Required value`,
	} {
		path := filepath.Join(t.TempDir(), "roles.yaml")
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		_, err := rbac.Load(path)
		require.ErrorContains(t, err, says, text)
		assert.Contains(t, err.Error(), "--rbac "+path)
		assert.NotContains(t, err.Error(), "\n")
	}
	_, err := rbac.Load("/none")
	assert.ErrorContains(t, err, "--rbac: open /none")
	list := `{"apiVersion":"v1","kind":"List","items":[{"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRole","metadata":{"name":"c","uid":"1","labels":{}},"rules":null}]}`
	for _, fine := range []string{"", "---\n---\n", list, role} {
		path := filepath.Join(t.TempDir(), "roles.yaml")
		require.NoError(t, os.WriteFile(path, []byte(fine), 0o600))
		_, err := rbac.Load(path)
		assert.NoError(t, err, fine)
	}
}
