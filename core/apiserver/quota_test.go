package apiserver_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/core/apiserver"
)

// filling is a client of a server with limits, which writes Leases with a long holder.
type filling struct {
	t      *testing.T
	server *apiserver.Server
}

func newFilling(t *testing.T, quota, objectBytes int64) filling {
	t.Helper()
	f := filling{t, apiserver.New(apiserver.Config{Seed: 1, Quota: quota, ObjectBytes: objectBytes})}
	require.NoError(t, f.server.Load(time.Unix(0, 0), []byte(`{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"default"}}`)))
	return f
}

func (f filling) ask(method, name, media, body string) (int, string) {
	f.t.Helper()
	path := "/apis/coordination.k8s.io/v1/namespaces/default/leases"
	if name != "" {
		path += "/" + name
	}
	answer := f.server.Handle(time.Unix(0, 0), &apiserver.Request{Method: method, Path: path, Header: map[string]string{"content-type": media}, Body: []byte(body)})
	return answer.Status, string(answer.Body)
}

func holding(name string, bytes int, text string) string {
	return fmt.Sprintf(`{"metadata":{"name":%q,"finalizers":["a/b"]},"spec":{"holderIdentity":"%s"}}`, name, strings.Repeat(text, bytes/len(text)))
}

const jsonMedia, mergeMedia = "application/json", "application/merge-patch+json"

// A full store answers with etcd's error. It accepts reads, deletions and writes that make an object smaller, and has
// room again after a deletion.
func TestQuota(t *testing.T) {
	f := newFilling(t, 1<<20, 0)
	full := `{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"etcdserver: mvcc: database space exceeded","code":500}`
	stored := 0
	for ; stored < 100; stored++ {
		code, body := f.ask("POST", "", jsonMedia, holding(fmt.Sprint("l", stored), 100_000, "n"))
		if code != 201 {
			assert.Equal(t, 500, code)
			assert.JSONEq(t, full, body)
			break
		}
	}
	assert.Equal(t, 10, stored, "of 100 kB in 1 MiB")
	for what, refused := range map[string]func() (int, string){
		"update": func() (int, string) {
			return f.ask("PUT", "l0", jsonMedia, strings.Replace(holding("l0", 200_000, "n"), `{"name"`, `{"resourceVersion":"2","name"`, 1))
		},
		"patch":      func() (int, string) { return f.ask("PATCH", "l0", mergeMedia, holding("l0", 200_000, "n")) },
		"upsert":     func() (int, string) { return f.ask("PUT", "new", jsonMedia, holding("new", 200_000, "n")) },
		"same again": func() (int, string) { return f.ask("POST", "", jsonMedia, holding("l10", 100_000, "n")) },
	} {
		code, body := refused()
		assert.Equal(t, 500, code, what)
		assert.JSONEq(t, full, body, what)
	}
	code, body := f.ask("POST", "", jsonMedia, `{"metadata":{"name":"small"}}`)
	assert.Equal(t, 201, code, body)
	code, body = f.ask("PATCH", "l0", mergeMedia, `{"spec":{"holderIdentity":"`+strings.Repeat("m", 100_000)+`"}}`)
	assert.Equal(t, 200, code, "a write of the same length: %.200s", body)
	code, _ = f.ask("DELETE", "l1", jsonMedia, "")
	assert.Equal(t, 200, code, "the object stays, marked, until its finalizer is removed")
	code, body = f.ask("PATCH", "l1", mergeMedia, `{"metadata":{"finalizers":null}}`)
	assert.Equal(t, 200, code, "the object is deleted: %.200s", body)
	code, body = f.ask("POST", "", jsonMedia, holding("l10", 100_000, "n"))
	assert.Equal(t, 201, code, "%.200s", body)
	code, _ = f.ask("GET", "l10", jsonMedia, "")
	assert.Equal(t, 200, code)
}

// The size of an object is the length of its JSON, including escapes.
func TestQuotaOfAnObject(t *testing.T) {
	f := newFilling(t, 0, 3<<19)
	for _, c := range []struct {
		bytes   int
		text    string
		refusal string
	}{
		{1_500_000, "n", ""},
		{1_570_000, "n", ""},
		{1_573_000, "n", "etcdserver: request is too large"},
		{2_090_000, "n", "etcdserver: request is too large"},
		{2_200_000, "n", "rpc error: code = ResourceExhausted desc = trying to send message larger than max (2200"},
		{3_000_000, "n", "larger than max"},
		{250_000, "<", ""},
		{270_000, "<", "etcdserver: request is too large"},
	} {
		code, body := f.ask("POST", "", jsonMedia, holding("x", c.bytes, c.text))
		if c.refusal == "" {
			assert.Equal(t, 201, code, "%d: %.200s", c.bytes, body)
			code, body = f.ask("PATCH", "x", mergeMedia, `{"metadata":{"finalizers":null}}`)
			require.Equal(t, 200, code, "%.200s", body)
			code, body = f.ask("DELETE", "x", jsonMedia, "")
			require.Equal(t, 200, code, body)
			continue
		}
		assert.Equal(t, 500, code, c.bytes)
		assert.Contains(t, body, c.refusal)
		assert.NotContains(t, body, `"reason"`)
	}
	f = newFilling(t, 0, 0)
	code, _ := f.ask("POST", "", jsonMedia, holding("x", 3_000_000, "n"))
	assert.Equal(t, 201, code, "without a limit")
}
