package apiserver_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/leaselab/leaselab/core/apiserver"
)

// Which tokens the server accepts, and what each user may read.
func TestAuth(t *testing.T) {
	open := newClient(t)
	roles := newClient(t)
	roles.server = apiserver.New(apiserver.Config{Tokens: []string{"admin"}, Strangers: map[string]string{"guest": "g<1>"}, Roles: true, Anonymous: true})
	closed := newClient(t)
	closed.server = apiserver.New(apiserver.Config{Tokens: []string{"admin"}, Anonymous: true, Strangers: map[string]string{"guest": "g"}})
	for _, test := range []struct {
		c             *client
		target, token string
		want          int
	}{
		{open, leasesA, "", 200},
		{open, leasesA, "Bearer whatever", 200},
		{closed, leasesA, "", 401},
		{closed, leasesA, "Bearer guest", 401},
		{closed, leasesA, "bearer admin", 200},
		{closed, leasesA, "Bearer  admin", 401},
		{closed, leasesA, "Bearer admin more", 200},
		{closed, leasesA, "Basic admin", 401},
		{closed, leasesA, "admin", 401},
		{roles, leasesA, "Bearer admin", 200},
		{roles, leasesA, "Bearer guest", 403},
		{roles, leasesA, "", 403},
		{roles, leasesA, "Bearer nobody", 401},
		{roles, "/apis/coordination.k8s.io/v1", "Bearer guest", 200},
		{roles, "/apis/coordination.k8s.io/v1", "", 403},
		{roles, "/readyz", "", 200},
		{roles, "/readyz/ping", "", 403},
		{roles, "/", "Bearer guest", 403},
	} {
		assert.Equal(t, test.want, test.c.do("GET", test.target, "", "authorization", test.token).Status, "%s %q", test.target, test.token)
	}
	a := roles.ask("DELETE", "/api/v1/namespaces/x/status", "", "authorization", "Bearer guest")
	assert.Equal(t, `namespaces "x" is forbidden: User "g&lt;1&gt;" cannot delete resource "namespaces/status" in API group "" in the namespace "x"`, a.Message)
	a = roles.ask("GET", "/api/v1/watch/namespaces", "", "authorization", "Bearer guest")
	assert.Equal(t, `namespaces is forbidden: User "g&lt;1&gt;" cannot watch resource "namespaces" in API group "" at the cluster scope`, a.Message)
}

// The server compares every token it knows, so that the time taken reveals nothing.
func TestTokensAreAllCompared(t *testing.T) {
	c, compared := newClient(t), 0
	c.server = apiserver.New(apiserver.Config{
		Tokens: []string{"first", "second"}, Strangers: map[string]string{"guest": "g", "other": "o"}, Roles: true,
		SameToken: func(a, b string) bool {
			compared++
			return a == b
		},
	})
	for token, want := range map[string]int{"first": 200, "second": 200, "guest": 403, "other": 403, "nobody": 401, "": 401} {
		compared = 0
		assert.Equal(t, want, c.do("GET", leasesA, "", "authorization", "Bearer "+token).Status, token)
		assert.Equal(t, 4, compared, token)
	}
}
