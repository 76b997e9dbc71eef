package programs_test

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/sim/programs"
	"github.com/leaselab/leaselab/sim/programs/replay"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/scenario/yaml"
	"github.com/leaselab/leaselab/sim/serve/incoming"
)

// openFull returns a cluster with the candidates a and b, whose record may have a number of bytes. The channel full
// closes when the record ends.
func openFull(t *testing.T, most int64) (c *programs.Cluster, record *bytes.Buffer, full chan struct{}) {
	t.Helper()
	s, err := yaml.Decode([]byte(faulted))
	require.NoError(t, err)
	s.Actions = nil
	record, full = &bytes.Buffer{}, make(chan struct{})
	options := programs.Options{Administered: true, Serves: replay.Everything(&s)}
	recorder, err := programs.NewRecorder(record, s, &options)
	require.NoError(t, err)
	recorder.Limit(most, func() { close(full) })
	begin := options.RecordTo(recorder)
	c = programs.New(s, options)
	begin(c)
	go c.Drive()
	t.Cleanup(func() {
		c.Close()
		c.Quit()
	})
	return c, record, full
}

func administer(c *programs.Cluster, method, path, body string) (int, string) {
	media := "application/json"
	if method == "PATCH" {
		media = "application/merge-patch+json"
	}
	answer := programs.Administrator{Cluster: c}.Handle(time.Now(), &apiserver.Request{Method: method, Path: path, Body: []byte(body),
		Header: map[string]string{"content-type": media}}).Whole()
	return answer.Status, string(answer.Body)
}

// A record that reaches its limit ends with the hash of its run. Then the server still answers elections, reads and deletions, but no other
// write, and the record does not change.
func TestARecordHasALimit(t *testing.T) {
	const most = 100_000
	c, record, full := openFull(t, most)
	configMaps := "/api/v1/namespaces/default/configmaps"
	create := func(n int) (int, string) {
		return administer(c, "POST", configMaps, fmt.Sprintf(`{"metadata":{"name":"c%d"},"data":{"a":%q}}`, n, strings.Repeat("x", 10_000)))
	}
	accepted := 0
	for code, said := create(0); ; code, said = create(accepted) {
		if code != 201 {
			assert.Equal(t, 500, code)
			assert.Contains(t, said, "etcdserver: mvcc: database space exceeded")
			break
		}
		accepted++
	}
	assert.Less(t, accepted, 12)
	<-full
	c.Look(func(*run.Run, int64) {})
	ended := record.String()
	assert.Less(t, len(ended), most+20_000)
	again, err := replay.Replay(strings.NewReader(ended), nil, nil)
	require.NoError(t, err)
	assert.True(t, again.Whole)
	assert.NotEmpty(t, again.Run.World.Hash().String())

	for _, test := range []struct {
		method, path, body string
		code               int
	}{
		{"GET", configMaps + "/c0", "", 200},
		{"DELETE", configMaps + "/c0", "", 200},
		{"PATCH", configMaps + "/c1", `{"data":{"a":"b"}}`, 500},
		{"POST", leases, lease("nobody", ""), 500},
	} {
		code, said := administer(c, test.method, test.path, test.body)
		assert.Equal(t, test.code, code, "%s %s: %s", test.method, test.path, said)
	}
	node := c.Node("a")
	for _, test := range []struct {
		method, path, body string
		code               int
	}{
		{"POST", leases, lease("a", ""), 201},
		{"POST", leases, strings.Replace(lease("a", ""), "demo", "other", 1), 500},
		{"PATCH", leases + "/demo", `{"metadata":{"annotations":{"a":"` + strings.Repeat("x", 20_000) + `"}}}`, 500},
		{"POST", configMaps, `{"metadata":{"name":"mine"}}`, 500},
		{"PATCH", leases + "/demo", `{"spec":{"holderIdentity":""}}`, 200},
	} {
		r, err := http.NewRequest(test.method, "http://localhost"+test.path, strings.NewReader(test.body))
		require.NoError(t, err)
		r.Header.Set("Content-Type", "application/json")
		if test.method == "PATCH" {
			r.Header.Set("Content-Type", "application/merge-patch+json")
		}
		answer, err := node.RoundTrip(incoming.WithoutNode(r))
		require.NoError(t, err)
		require.NoError(t, answer.Body.Close())
		assert.Equal(t, test.code, answer.StatusCode, "%s %s", test.method, test.path)
	}
	c.Look(func(*run.Run, int64) {})
	assert.Equal(t, len(ended), record.Len(), "nothing follows its end")
}

// The memory of a cluster does not grow with the versions of its objects.
func TestAClusterForgetsOldVersions(t *testing.T) {
	if testing.Short() {
		t.Skip("it writes 90 MB: runs without -short")
	}
	c, _, _ := openFull(t, 0)
	code, said := administer(c, "POST", "/api/v1/namespaces/default/configmaps", fmt.Sprintf(`{"metadata":{"name":"c"},"data":{"a":%q}}`, strings.Repeat("x", 1_000_000)))
	require.Equal(t, 201, code, said)
	most := 0
	for i := range 90 {
		code, said := administer(c, "PATCH", "/api/v1/namespaces/default/configmaps/c", fmt.Sprintf(`{"data":{"b":"%d"}}`, i))
		require.Equal(t, 200, code, said)
		c.Look(func(r *run.Run, _ int64) { most = max(most, r.World.Store().RememberedCount()) })
	}
	assert.Less(t, most, 80, "64 MiB of versions")
	assert.Greater(t, most, 60)
}

// A write does not take longer because others came before it.
func TestWritesBesideManyObjects(t *testing.T) {
	if testing.Short() {
		t.Skip("it measures the time of 11,000 writes: runs without -short")
	}
	c, _, _ := openFull(t, 0)
	begun := time.Now()
	for i := range 11_000 {
		if i == 10_000 {
			begun = time.Now()
		}
		code, said := administer(c, "POST", leases, fmt.Sprintf(`{"metadata":{"name":"l%d"},"spec":{"holderIdentity":"a"}}`, i))
		require.Equal(t, 201, code, said)
	}
	rate := 1000 / time.Since(begun).Seconds()
	t.Logf("%.0f creates per second beside 10,000 objects", rate)
	assert.Greater(t, rate, 500.)
}
