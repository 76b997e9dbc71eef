//go:build linux

package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	floodObjects = 50_000
	floodClients = 1000
	floodLeases  = "/apis/coordination.k8s.io/v1/namespaces/default/leases"
)

// floodLease is a Lease as an elector writes it.
func floodLease(name string, n int) string {
	return fmt.Sprintf(`{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":%q,"namespace":"default"},"spec":{`+
		`"holderIdentity":"somebody_6c1c3f0e","leaseDurationSeconds":15,"leaseTransitions":3,"acquireTime":"2026-01-01T00:00:00.000000Z",`+
		`"renewTime":"2026-01-01T%02d:%02d:%02d.%06dZ"}}`, name, n/3600%24, n/60%60, n%60, n%1e6)
}

var revisionInBody = regexp.MustCompile(`"resourceVersion":"(\d+)"`)

// flooded is a server that a flood reaches, as a separate process.
type flooded struct {
	t    *testing.T
	pid  int
	addr string
}

// serveFlooded serves many Leases.
func serveFlooded(t *testing.T, objects int, args ...string) *flooded {
	var all bytes.Buffer
	all.WriteString(`{"apiVersion":"v1","kind":"List","items":[`)
	for i := range objects {
		if i > 0 {
			all.WriteByte(',')
		}
		all.WriteString(floodLease(fmt.Sprintf("l%05d", i), i))
	}
	all.WriteString(`]}`)
	fixture := filepath.Join(t.TempDir(), "leases.json")
	require.NoError(t, os.WriteFile(fixture, all.Bytes(), 0o600))
	c, out, said := process(t, append([]string{"serve", "--addr", "127.0.0.1:0", "--site", "", "--fixture", fixture}, args...)...)
	f := &flooded{t: t, pid: c.Process.Pid}
	where := regexp.MustCompile(`http://([0-9.:]+)/`)
	require.Eventually(t, func() bool {
		found := where.FindStringSubmatch(out.String())
		if found != nil {
			f.addr = found[1]
		}
		return found != nil
	}, time.Minute, 10*time.Millisecond, "%s", said)
	return f
}

// mostMiB returns the largest memory of the server so far.
func (f *flooded) mostMiB() int {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", f.pid))
	require.NoError(f.t, err)
	kib, err := strconv.Atoi(regexp.MustCompile(`VmHWM:\s+(\d+)`).FindStringSubmatch(string(status))[1])
	require.NoError(f.t, err)
	return kib >> 10
}

// send opens a connection and sends a request.
func (f *flooded) send(method, target, headers, body string) (net.Conn, error) {
	c, err := net.Dial("tcp", f.addr)
	if err != nil {
		return nil, err
	}
	_, err = fmt.Fprintf(c, "%s %s HTTP/1.1\r\nHost: localhost\r\n%sContent-Length: %d\r\n\r\n%s", method, target, headers, len(body), body)
	return c, err
}

// waits asks again and again how long a request takes, until the channel over closes, and returns the longest time.
func (f *flooded) waits(over chan struct{}, do func(c *http.Client, n int, revision string) (*http.Response, error)) (longest time.Duration, asked int) {
	revision := ""
	c := &http.Client{Timeout: 2 * time.Minute, Transport: &http.Transport{}}
	for n := 0; ; n++ {
		select {
		case <-over:
			return longest, n
		case <-time.After(20 * time.Millisecond):
		}
		begun := time.Now()
		answer, err := do(c, n, revision)
		if !assert.NoError(f.t, err) {
			return time.Hour, n
		}
		body, err := io.ReadAll(answer.Body)
		assert.NoError(f.t, err)
		assert.NoError(f.t, answer.Body.Close())
		assert.Less(f.t, answer.StatusCode, 300, "%.300s", body)
		if found := revisionInBody.FindSubmatch(body); found != nil {
			revision = string(found[1])
		}
		longest = max(longest, time.Since(begun))
	}
}

// floodKinds are clients that want too much. Each function is one client, until its server is gone or the flood ends.
var floodKinds = []struct {
	name   string
	prefix func(f *flooded)
	client func(f *flooded, n int, over chan struct{}, codes *sync.Map)
}{
	{"Table lists", nil, lists("?limit=0", "Accept: application/json;as=Table;v=v1;g=meta.k8s.io\r\n")},
	{"YAML lists", nil, lists("", "Accept: application/yaml\r\n")},
	{"partial lists", nil, lists("", "Accept: application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io\r\n")},
	{"Table watches that do not read", nil, watches("&resourceVersion=1001", "Accept: application/json;as=Table;v=v1;g=meta.k8s.io\r\n")},
	{"JSON watches that do not read", nil, watches("&resourceVersion=1001", "")},
	{"watches of all objects that do not read", nil, watches("", "")},
	{"patch bombs of 86 kB", fattenLease, bombs(1600)},
	{"patch bombs of 434 kB", fattenLease, bombs(8000)},
}

// lists returns a client that lists all Leases again and again.
func lists(query, headers string) func(*flooded, int, chan struct{}, *sync.Map) {
	return again("GET", floodLeases+query, headers, func(int) string { return "" })
}

// again returns a client that sends one request again and again, on one connection if the server allows that.
func again(method, target, headers string, body func(n int) string) func(*flooded, int, chan struct{}, *sync.Map) {
	return func(f *flooded, n int, over chan struct{}, codes *sync.Map) {
		text := body(n)
		for {
			c, err := f.send(method, target, headers, text)
			if err != nil {
				continue
			}
			go func() {
				<-over
				_ = c.Close()
			}()
			in := bufio.NewReader(c)
			for {
				select {
				case <-over:
					return
				default:
				}
				answer, err := http.ReadResponse(in, nil)
				if err != nil {
					break
				}
				count(codes, answer.StatusCode)
				if _, err = io.Copy(io.Discard, answer.Body); err != nil {
					break
				}
				if _, err = fmt.Fprintf(c, "%s %s HTTP/1.1\r\nHost: localhost\r\n%sContent-Length: %d\r\n\r\n%s", method, target, headers,
					len(text), text); err != nil {
					break
				}
			}
			select {
			case <-over:
				return
			default:
			}
		}
	}
}

func count(codes *sync.Map, code int) {
	n, _ := codes.LoadOrStore(code, new(atomic.Int64))
	n.(*atomic.Int64).Add(1)
}

// watches returns a client that opens a watch and reads nothing.
func watches(query, headers string) func(*flooded, int, chan struct{}, *sync.Map) {
	return func(f *flooded, _ int, over chan struct{}, codes *sync.Map) {
		c, err := f.send("GET", floodLeases+"?watch=1"+query, headers, "")
		if err != nil {
			return
		}
		count(codes, 0)
		<-over
		_ = c.Close()
	}
}

// fattenLease gives a Lease a holderIdentity of 1.4 MB.
func fattenLease(f *flooded) {
	r, err := http.NewRequest("PATCH", "http://"+f.addr+floodLeases+"/l00000",
		strings.NewReader(`{"spec":{"holderIdentity":"`+strings.Repeat("x", 1_400_000)+`"}}`))
	require.NoError(f.t, err)
	r.Header.Set("Content-Type", "application/merge-patch+json")
	answer, err := http.DefaultClient.Do(r)
	require.NoError(f.t, err)
	require.Equal(f.t, 200, answer.StatusCode)
	require.NoError(f.t, answer.Body.Close())
}

// bombs returns a client that sends JSON patches of many operations on the fat Lease.
func bombs(operations int) func(*flooded, int, chan struct{}, *sync.Map) {
	return again("PATCH", floodLeases+"/l00000", "Content-Type: application/json-patch+json\r\n", func(n int) string {
		ops := []string{`{"op":"copy","from":"/spec/holderIdentity","path":"/spec/b"}`}
		for range operations - 1 {
			ops = append(ops, `{"op":"test","path":"/metadata/name","value":"l00000"}`)
		}
		return "[" + strings.Join(ops, ",") + "]"
	})
}

// Beside a thousand clients that want too much, health checks and renewals of Leases answer soon, and memory stays bounded.
func TestFloods(t *testing.T) {
	if testing.Short() {
		t.Skip("floods of a server in real time: runs without -short")
	}
	for _, kind := range floodKinds {
		t.Run(kind.name, func(t *testing.T) {
			f := serveFlooded(t, floodObjects, "--seed", "1")
			if kind.prefix != nil {
				kind.prefix(f)
			}
			over, codes := make(chan struct{}), &sync.Map{}
			var clients, probes sync.WaitGroup
			for n := range floodClients {
				clients.Go(func() { kind.client(f, n, over, codes) })
			}
			time.Sleep(time.Second)
			probing := make(chan struct{})
			for _, path := range []string{"/healthz", "/readyz"} {
				probes.Go(func() {
					longest, asked := f.waits(probing, func(c *http.Client, _ int, _ string) (*http.Response, error) { return c.Get("http://" + f.addr + path) })
					t.Logf("%s: %s at most in %d requests", path, longest, asked)
					assert.Less(t, longest, 200*time.Millisecond, path)
				})
			}
			probes.Go(func() {
				longest, asked := f.waits(probing, func(c *http.Client, n int, revision string) (*http.Response, error) {
					lease := floodLease("mine", n)
					method, target := "POST", f.addr+floodLeases
					if n > 0 {
						method, target = "PUT", target+"/mine"
						lease = strings.Replace(lease, `"name"`, `"resourceVersion":"`+revision+`","name"`, 1)
					}
					r, err := http.NewRequest(method, "http://"+target, strings.NewReader(lease))
					if err != nil {
						return nil, err
					}
					r.Header.Set("Content-Type", "application/json")
					return c.Do(r)
				})
				t.Logf("renewals: %s at most in %d requests", longest, asked)
				assert.Less(t, longest, 200*time.Millisecond, "renewals")
			})
			time.Sleep(15 * time.Second)
			close(probing)
			probes.Wait()
			close(over)
			clients.Wait()
			codes.Range(func(code, n any) bool {
				t.Logf("%d: %d times", code, n.(*atomic.Int64).Load())
				return true
			})
			t.Logf("%d MiB at most", f.mostMiB())
			assert.Less(t, f.mostMiB(), 600)
		})
	}
}
