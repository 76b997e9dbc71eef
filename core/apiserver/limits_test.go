package apiserver_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/core/apiserver"
)

// nest returns an object with this many levels.
func nest(levels int) string {
	return strings.Repeat(`{"a":`, levels-1) + "{}" + strings.Repeat("}", levels-1)
}

func messageOf(t *testing.T, r apiserver.Response) string {
	t.Helper()
	var status struct{ Message string }
	require.NoError(t, json.Unmarshal(r.Body, &status), "%s", r.Body)
	return status.Message
}

// The server of a run accepts smaller bodies than upstream's, in every form. Without the limits it accepts what
// upstream's does.
func TestBodiesAreLimited(t *testing.T) {
	limited := newClient(t, func(c *apiserver.Config) { c.BodyBytes, c.BodyDepth = 1000, 400 })
	whole := newClient(t)
	for _, c := range []*client{limited, whole} {
		c.lease("demo")
	}
	for _, deep := range []struct{ method, target, media, body string }{
		{"PATCH", leasesA + "/demo", "application/merge-patch+json", nest(401)},
		{"PATCH", leasesA + "/demo", "application/strategic-merge-patch+json", nest(401)},
		{"PATCH", leasesA + "/demo", "application/json-patch+json", `[{"op":"add","path":"/x","value":` + nest(400) + `}]`},
		{"PATCH", leasesA + "/demo?fieldManager=x", "application/apply-patch+yaml", nest(401)},
		{"POST", leasesA, "application/json", nest(401)},
		{"PUT", leasesA + "/demo", "application/json", nest(401)},
		{"DELETE", leasesA + "/demo", "application/json", nest(401)},
	} {
		c := newClient(t, func(c *apiserver.Config) { c.BodyDepth = 400 })
		c.lease("demo")
		refused := c.do(deep.method, deep.target, deep.body, "content-type", deep.media)
		assert.Equal(t, 400, refused.Status, "%s %s", deep.method, deep.media)
		assert.Equal(t, "the body of the request is nested more than 400 levels deep, which is the limit here", messageOf(t, refused), "%s %s", deep.method, deep.media)
		assert.NotContains(t, string(whole.do(deep.method, deep.target, deep.body, "content-type", deep.media).Body), "levels deep", "%s %s", deep.method, deep.media)
	}
	allowed := limited.do("PATCH", leasesA+"/demo", nest(100), "content-type", "application/merge-patch+json")
	assert.Equal(t, 200, allowed.Status, "%s", allowed.Body)
	large := `{"metadata":{"annotations":{"a":"` + strings.Repeat("x", 1000) + `"}}}`
	refused := limited.do("PATCH", leasesA+"/demo", large, "content-type", "application/merge-patch+json")
	assert.Equal(t, 413, refused.Status)
	assert.Equal(t, "Request entity too large: limit is 1000", messageOf(t, refused))
}

// The operations of a JSON patch cannot exceed the limit of depth step by step.
func TestAPatchCannotDigDeeper(t *testing.T) {
	c := newClient(t, func(c *apiserver.Config) { c.BodyDepth = 400 })
	c.lease("demo")
	path, dig, copies := "/x", []string{}, []string{`{"op":"add","path":"/x","value":` + nest(300) + `}`}
	for range 3 {
		dig = append(dig, `{"op":"add","path":"`+path+`","value":`+nest(200)+`}`)
		path += strings.Repeat("/a", 199)
	}
	for range 2 {
		copies = append(copies, `{"op":"copy","from":"/x","path":"/x`+strings.Repeat("/a", 299)+`"}`)
	}
	for _, patch := range [][]string{dig, copies} {
		refused := c.do("PATCH", leasesA+"/demo", "["+strings.Join(patch, ",")+"]", "content-type", "application/json-patch+json")
		require.Equal(t, 400, refused.Status, "%.200s", refused.Body)
		assert.Equal(t, "the object after the patch is nested more than 400 levels deep, which is the limit here", messageOf(t, refused))
	}
	moved := c.do("PATCH", leasesA+"/demo", `[{"op":"add","path":"/x","value":`+nest(300)+`},{"op":"move","from":"/x","path":"/y"}]`, "content-type", "application/json-patch+json")
	assert.Equal(t, 200, moved.Status, "%.200s", moved.Body)
}
