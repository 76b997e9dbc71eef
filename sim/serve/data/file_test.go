//go:build !js

package data_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/sim/serve"
	"github.com/leaselab/leaselab/sim/serve/data"
)

var start = time.Date(2026, 10, 1, 9, 30, 0, 0, time.UTC)

// newServer returns a server with the contents of a file.
func newServer(t *testing.T, f *data.File) *apiserver.Server {
	t.Helper()
	config := apiserver.Config{Coordinated: true, Versions: []string{"v1beta1"}, Seed: 7 + uint64(f.Revision()), FirstRevision: 1000}
	serve.Native(&config)
	server := apiserver.New(config)
	if f.Empty() {
		require.NoError(t, serve.Prepare(server, start, ""))
		f.Add(server.Revision(), server.Changes(1000))
	} else {
		require.NoError(t, f.Restore(server))
	}
	return server
}

// everything returns all objects of a server as clients see them, and the revision.
func everything(server *apiserver.Server) string {
	var b bytes.Buffer
	for _, path := range []string{"/api/v1/namespaces", "/apis/coordination.k8s.io/v1/leases", "/apis/coordination.k8s.io/v1beta1/leasecandidates"} {
		answer := server.Handle(start, &apiserver.Request{Method: "GET", Path: path, Header: map[string]string{}})
		b.Write(answer.Body)
	}
	return b.String()
}

const inDefault = "/apis/coordination.k8s.io/v1/namespaces/default/leases"

// change sends a random write and queues what it stored, if f is not nil.
func change(server *apiserver.Server, f *data.File, r *rand.Rand, objects int) {
	before := server.Revision()
	name := fmt.Sprintf("l%d", r.IntN(objects))
	q := apiserver.Request{Header: map[string]string{"content-type": "application/json", "user-agent": fmt.Sprintf("writer%d/1", r.IntN(3))}}
	switch r.IntN(5) {
	case 0:
		q.Method, q.Path = "DELETE", inDefault+"/"+name
	case 1:
		q.Method, q.Path = "PATCH", inDefault+"/"+name
		q.Header["content-type"] = "application/merge-patch+json"
		q.Body = []byte(fmt.Sprintf(`{"metadata":{"labels":{"n":"%d"}},"spec":{"leaseTransitions":%d}}`, r.IntN(9), r.IntN(1000)))
	default:
		q.Method, q.Path = "POST", inDefault
		q.Body = []byte(fmt.Sprintf(`{"metadata":{"name":%q,"annotations":{"long":%q},"finalizers":["example.com/x"]},"spec":{"holderIdentity":"h","leaseDurationSeconds":15,"renewTime":"2026-01-02T03:04:05.678901Z"}}`,
			name, bytes.Repeat([]byte("<ä>"), r.IntN(400))))
	}
	server.Handle(start, &q)
	if f != nil {
		f.Add(server.Revision(), server.Changes(before))
	}
}

// What a server stored comes back byte for byte, at the same revision.
func TestRestore(t *testing.T) {
	path := filepath.Join(t.TempDir(), "objects")
	r := rand.New(rand.NewPCG(1, 2))
	want := ""
	for range 4 {
		f, err := data.Open(path)
		require.NoError(t, err)
		server := newServer(t, f)
		if want != "" {
			require.Equal(t, want, everything(server))
		}
		for range 300 {
			change(server, f, r, 100)
		}
		require.NoError(t, f.Wait(server.Revision()))
		want = everything(server)
		require.NoError(t, f.Close())
	}
	assert.Contains(t, want, `"managedFields"`)
	assert.Contains(t, want, "l99")
}

// A confirmed write survives whatever a machine loses that it has not synced: any pages of the write after it, in any
// combination, and any part of the meta page that ends that write.
func TestWhatWasNotSyncedIsLost(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "objects")
	f, err := data.Open(path)
	require.NoError(t, err)
	server := newServer(t, f)
	r := rand.New(rand.NewPCG(3, 4))
	transaction := func() (file []byte, objects string) {
		before := server.Revision()
		for range 1 + r.IntN(20) {
			change(server, nil, r, 60)
		}
		f.Add(server.Revision(), server.Changes(before)) // all of them in one transaction
		require.NoError(t, f.Wait(server.Revision()))
		return read(t, path), everything(server)
	}
	opened := func(name string, file []byte) string {
		torn := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(torn, file, 0o600))
		f, err := data.Open(torn)
		require.NoError(t, err)
		defer f.Close()
		return everything(newServer(t, f))
	}
	confirmed, want := transaction()
	for round := range 40 {
		later, next := transaction()
		torn := tear(r, confirmed, later)
		require.Equal(t, want, opened(fmt.Sprint("pages", round), torn))

		// All pages have reached the disk, and a part of the meta page.
		torn = bytes.Clone(later)
		meta := 0
		if size := os.Getpagesize(); bytes.Equal(confirmed[:size], later[:size]) {
			meta = size
		}
		written := r.IntN(80)
		copy(torn[meta+written:meta+80], confirmed[meta+written:meta+80])
		if got := opened(fmt.Sprint("meta", round), torn); got != next {
			require.Equal(t, want, got)
		}
		confirmed, want = later, next
	}
	require.NoError(t, f.Close())
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	return b
}

// tear returns a file in which some pages of a later write have reached the disk and others have not.
func tear(r *rand.Rand, confirmed, later []byte) []byte {
	size := os.Getpagesize()
	torn := append(bytes.Clone(confirmed), make([]byte, max(0, len(later)-len(confirmed)))...)
	for at := 2 * size; at < len(later); at += size {
		if r.IntN(2) == 0 {
			copy(torn[at:at+size], later[at:at+size])
		}
	}
	return torn
}

// A damaged file is refused with a sentence and left alone, wherever the damage is; damage to an unused part
// does not count.
func TestDamage(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "objects")
	f, err := data.Open(path)
	require.NoError(t, err)
	server := newServer(t, f)
	r := rand.New(rand.NewPCG(5, 6))
	for range 400 {
		change(server, f, r, 200)
	}
	require.NoError(t, f.Wait(server.Revision()))
	require.NoError(t, f.Close())
	whole, want := read(t, path), everything(server)
	refused := 0
	for k := range 500 {
		damaged := bytes.Clone(whole)
		switch at := 2*os.Getpagesize() + r.IntN(len(whole)-2*os.Getpagesize()); r.IntN(5) {
		case 0:
			damaged = damaged[:r.IntN(len(whole))]
		case 1:
			for i := at; i < min(at+os.Getpagesize(), len(damaged)); i++ {
				damaged[i] = byte(r.Uint32())
			}
		case 2: // the header of a page, or one of its first elements
			at -= at % os.Getpagesize()
			damaged[at+r.IntN(80)] ^= byte(1 << r.IntN(8))
		default:
			damaged[at] ^= byte(1 << r.IntN(8))
		}
		one := filepath.Join(dir, fmt.Sprint("damaged", k)) // a panic of bbolt leaves it locked
		require.NoError(t, os.WriteFile(one, damaged, 0o600))
		f, err := data.Open(one)
		if err != nil {
			refused++
			require.Contains(t, err.Error(), "is damaged or not a file of leaselab serve", k)
			require.Contains(t, err.Error(), "name another file, or restore a copy")
			require.True(t, bytes.Equal(damaged, read(t, one)), "left alone")
			continue
		}
		if len(damaged) > 0 {
			require.Equal(t, want, everything(newServer(t, f)), k)
		}
		require.NoError(t, f.Close())
	}
	assert.Greater(t, refused, 150)
}

// A path without a file, and a file in use, each get a clear error.
func TestFilesThatAreRefused(t *testing.T) {
	dir := t.TempDir()
	text := filepath.Join(dir, "text")
	require.NoError(t, os.WriteFile(text, []byte("kind: Lease\n"), 0o600))
	_, err := data.Open(text)
	require.ErrorContains(t, err, "not a file of leaselab serve")
	assert.Equal(t, "kind: Lease\n", string(read(t, text)))
	_, err = data.Open(dir)
	require.ErrorContains(t, err, "is not a regular file")
	_, err = data.Open(filepath.Join(dir, "none", "objects"))
	require.ErrorContains(t, err, "cannot create the file")

	path := filepath.Join(dir, "objects")
	f, err := data.Open(path)
	require.NoError(t, err)
	_, err = data.Open(path)
	require.ErrorContains(t, err, "is in use by another process")
	require.NoError(t, f.Close())
}

// A new file touches nothing else: neither a file with a similar name, nor a link, whose target it makes.
func TestANewFileTouchesNothingElse(t *testing.T) {
	dir := t.TempDir()
	notes, link := filepath.Join(dir, "notes"), filepath.Join(dir, "link")
	require.NoError(t, os.WriteFile(notes+".new", []byte("mine"), 0o600))
	require.NoError(t, os.Symlink("target", link))
	for _, path := range []string{notes, link} {
		f, err := data.Open(path)
		require.NoError(t, err)
		require.NoError(t, f.Close())
	}
	assert.Equal(t, "mine", string(read(t, notes+".new")))
	to, err := os.Readlink(link)
	require.NoError(t, err)
	assert.Equal(t, "target", to)
	assert.FileExists(t, filepath.Join(dir, "target"))
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, left, 4, "nothing half made is left: %v", left)
}
