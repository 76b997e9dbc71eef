package controllers_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/sim/serve"
	"github.com/leaselab/leaselab/sim/serve/controllers"
)

// counted is a server that counts its controllers' requests.
type counted struct {
	controllers.Alone
	asked *int
}

func (c counted) Do(now time.Time, r *apiserver.Request) apiserver.Response {
	*c.asked++
	return c.Alone.Do(now, r)
}

func (c counted) Begin(now time.Time, r *apiserver.Request) apiserver.Response {
	*c.asked++
	return c.Alone.Begin(now, r)
}

// newCounted returns a server in parts, and the number of its controllers' requests.
func newCounted(t *testing.T) (c *cluster, asked *int) {
	config := apiserver.Config{Seed: 1, FirstRevision: 1000, InParts: true, KeptEvents: 100_000}
	c, asked = &cluster{t: t, server: apiserver.New(config), now: time.Date(2026, 10, 1, 9, 30, 0, 0, time.UTC)}, new(int)
	require.NoError(t, serve.Prepare(c.server, c.now, ""))
	c.set = controllers.New(counted{controllers.Alone{Server: c.server}, asked}, controllers.Options{})
	return c, asked
}

func (c *cluster) fill(namespace string, objects int, metadata string) {
	c.do("POST", "/api/v1/namespaces", fmt.Sprintf(`{"metadata":{"name":%q}}`, namespace))
	for i := range objects {
		c.do("POST", strings.Replace(leases, "/default/", "/"+namespace+"/", 1), fmt.Sprintf(`{"metadata":{"name":"l%05d"%s}}`, i, metadata))
	}
}

// A namespace that cannot end, because its objects have finalizers, costs other writes nothing. It ends with its last object.
func TestStuckNamespaces(t *testing.T) {
	objects, writes := 300, 50
	if !testing.Short() {
		objects, writes = 20_000, 1000
	}
	c, asked := newCounted(t)
	c.fill("stuck", objects, `,"finalizers":["example.com/never"]`)
	c.do("DELETE", "/api/v1/namespaces/stuck", "")
	for !c.next.IsZero() {
		c.next = c.set.Advance(c.now)
	}
	require.NotZero(t, *asked)
	inStuck := strings.Replace(leases, "/default/", "/stuck/", 1)
	_, o := c.ask("GET", fmt.Sprintf("%s/l%05d", inStuck, objects-1), "")
	require.NotNil(t, at(o, "metadata.deletionTimestamp"), "the controller has deleted every object")

	before, begun := *asked, time.Now()
	for i := range writes {
		c.do("POST", leases, fmt.Sprintf(`{"metadata":{"name":"beside%d"}}`, i))
	}
	each := time.Since(begun) / time.Duration(writes)
	assert.Equal(t, before, *asked, "requests of controllers")
	if !testing.Short() {
		t.Logf("a write takes %s beside %d stuck objects", each, objects)
		assert.Less(t, each, time.Millisecond)
	}
	for i := range objects {
		before = *asked
		strategic := []string{"content-type", "application/strategic-merge-patch+json"}
		c.do("PATCH", fmt.Sprintf("%s/l%05d", inStuck, i), `{"metadata":{"finalizers":null}}`, strategic...)
		if i < objects-1 {
			require.Equal(t, before, *asked)
		}
	}
	code, _ := c.ask("GET", "/api/v1/namespaces/stuck", "")
	assert.Equal(t, 404, code)
}

// Controllers do a large deletion in parts, and others use the server in between.
func TestLargeNamespacesEndInParts(t *testing.T) {
	c, _ := newCounted(t)
	c.fill("large", 1001, "")
	c.do("DELETE", "/api/v1/namespaces/large", "")
	parts := 1
	for ; !c.next.IsZero(); parts++ {
		require.Equal(t, c.now, c.next)
		before := c.server.Revision()
		c.do("POST", leases, fmt.Sprintf(`{"metadata":{"name":"beside%d"}}`, parts))
		require.LessOrEqual(t, c.server.Revision()-before, int64(202))
	}
	assert.GreaterOrEqual(t, parts, 6)
	code, _ := c.ask("GET", "/api/v1/namespaces/large", "")
	assert.Equal(t, 404, code)
}

// The collector, too, deletes many dependents in parts.
func TestManyDependentsGoInParts(t *testing.T) {
	c, _ := newCounted(t)
	owner := c.do("POST", leases, `{"metadata":{"name":"owner"}}`)
	for i := range 1001 {
		c.do("POST", leases, fmt.Sprintf(`{"metadata":{"name":"l%d","ownerReferences":[{"apiVersion":"coordination.k8s.io/v1","kind":"Lease",`+
			`"name":"owner","uid":%q}]}}`, i, at(owner, "metadata.uid")))
	}
	c.do("DELETE", leases+"/owner", "")
	parts := 1
	for ; !c.next.IsZero(); parts++ {
		before := c.server.Revision()
		c.next = c.set.Advance(c.now)
		require.LessOrEqual(t, c.server.Revision()-before, int64(200))
	}
	assert.GreaterOrEqual(t, parts, 5)
	assert.Empty(t, c.there())
}
