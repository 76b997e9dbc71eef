package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"
)

// incident is the content of one incident's file.
type incident struct {
	Class  string            `json:"class"`
	Cause  string            `json:"cause"`
	Leader string            `json:"leader"` // the victim
	Events []event           `json:"events"` // what this program did, and the electors' callbacks, in order of time
	Files  map[string]string `json:"files"`  // the evidence
}

// member is one elector's process.
type member struct {
	name    string // of the host, and of its log
	id      string // holderIdentity
	command *exec.Cmd
	relay   *relay
	log     bytes.Buffer
}

// group has three electors and what the program collects about them.
type group struct {
	ctx     context.Context
	api     string
	members []*member

	mu     sync.Mutex
	events []event
	watch  bytes.Buffer
}

func (g *group) tell(id, what string) { g.add(event{what, id, time.Now().UTC()}) }

func (g *group) add(e event) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.events = append(g.events, e)
}

func (g *group) sleep(d time.Duration) {
	select {
	case <-time.After(d):
	case <-g.ctx.Done():
	}
}

// leading is the name of the candidate that last started leading, "" if none has.
func (g *group) leading() (name string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, e := range g.events {
		if e.Event == "started_leading" {
			name = e.ID
		}
	}
	return name
}

func (g *group) leader() *member {
	for _, m := range g.members {
		if m.id == g.leading() {
			return m
		}
	}
	panic("nobody leads")
}

func (m *member) stop(g *group) {
	g.tell(m.id, "SIGSTOP")
	_ = m.command.Process.Signal(syscall.SIGSTOP)
}

func (m *member) resume(g *group) {
	g.tell(m.id, "SIGCONT")
	_ = m.command.Process.Signal(syscall.SIGCONT)
}

// record makes one incident and writes its file.
func record(ctx context.Context, command string, p plan, path string) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	auditLog := path + ".audit"
	api, err := serveAPI(ctx, command, auditLog)
	if err != nil {
		return err
	}
	defer os.Remove(auditLog)
	g := &group{ctx: ctx, api: api}
	g.kubectl(http.MethodPost, "/api/v1/namespaces", map[string]any{"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": "ns-a"}})
	if err := g.watchLeases(api); err != nil {
		return err
	}
	random := rand.New(rand.NewPCG(p.seed, 20))
	for _, name := range []string{"node-a", "node-b", "node-c"} {
		id := name
		if p.uuid {
			id += fmt.Sprintf("_%08x-0000-4000-8000-%012x", random.Uint32(), random.Uint64N(1<<48))
		}
		if err := g.join(name, id); err != nil {
			return err
		}
		defer g.members[len(g.members)-1].end()
		g.sleep(drawLength(random, 200*time.Millisecond, 700*time.Millisecond))
	}
	g.sleep(drawLength(random, 6*time.Second, 9*time.Second))
	if g.leading() == "" {
		return errors.New("nobody led after six seconds")
	}
	file := incident{Class: p.class, Cause: p.cause, Leader: g.leading()}
	p.do(g, random)
	g.sleep(drawLength(random, 9*time.Second, 11*time.Second))
	for _, m := range g.members {
		m.end()
	}
	audited, err := os.ReadFile(auditLog)
	if err != nil {
		return err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	file.Events = g.events
	file.Files = map[string]string{"audit.jsonl": ofTheLease(string(audited)), "watch.jsonl": g.watch.String()}
	for _, m := range g.members {
		file.Files[m.name+".klog"] = m.log.String()
	}
	return write(path, &file)
}

func write(path string, file *incident) error {
	var packed bytes.Buffer
	z, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return err
	}
	if err := json.NewEncoder(z).Encode(file); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	return os.WriteFile(path, packed.Bytes(), 0o644)
}

// ofTheLease drops the lines of a log about requests for anything but the Lease.
func ofTheLease(log string) string {
	var kept strings.Builder
	for line := range strings.Lines(log) {
		if strings.Contains(line, `"resource":"leases"`) {
			kept.WriteString(line)
		}
	}
	return kept.String()
}

const leasePath = "/apis/coordination.k8s.io/v1/namespaces/ns-a/leases/demo"

// kubectl sends a request as kubectl would, and returns the answer.
func (g *group) kubectl(method, path string, send any) (received map[string]any) {
	body, err := json.Marshal(send)
	if err != nil {
		panic(err)
	}
	if send == nil {
		body = nil
	}
	request, err := http.NewRequestWithContext(g.ctx, method, g.api+path, bytes.NewReader(body))
	if err != nil {
		panic(err)
	}
	request.Header.Set("User-Agent", "kubectl/v1.37.0 (linux/amd64)")
	request.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		panic(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode >= http.StatusBadRequest {
		panic(method + " " + path + ": " + answer.Status)
	}
	if err := json.NewDecoder(answer.Body).Decode(&received); err != nil {
		panic(err)
	}
	return received
}

const stampLayout = "2006-01-02T15:04:05.000000Z07:00"

// serveAPI starts `leaselab serve`, which ends with the context.
func serveAPI(ctx context.Context, command, auditLog string) (address string, err error) {
	c := exec.CommandContext(ctx, command, "serve", "--addr", "127.0.0.1:0", "--site", "", "--audit-log-path", auditLog)
	out, err := c.StdoutPipe()
	if err != nil {
		return "", err
	}
	if err := c.Start(); err != nil {
		return "", err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		return "", fmt.Errorf("leaselab serve printed no address: %w", err)
	}
	_, rest, _ := strings.Cut(line, " at ")
	address, _, _ = strings.Cut(rest, " ")
	go func() { _, _ = io.Copy(io.Discard, out); _ = c.Wait() }()
	return strings.TrimSuffix(address, "/"), nil
}

// watchLeases collects the frames of a watch, each with the instant at which it arrived.
func (g *group) watchLeases(api string) error {
	request, err := http.NewRequestWithContext(g.ctx, http.MethodGet, api+"/apis/coordination.k8s.io/v1/namespaces/ns-a/leases?watch=true", nil)
	if err != nil {
		return err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	go func() {
		defer answer.Body.Close()
		frames := bufio.NewReader(answer.Body)
		for {
			frame, err := frames.ReadString('\n')
			if err != nil {
				return
			}
			g.mu.Lock()
			fmt.Fprintf(&g.watch, `{"receivedAt":%q,%s`+"\n", time.Now().UTC().Format(stampLayout), strings.TrimPrefix(strings.TrimSpace(frame), "{"))
			g.mu.Unlock()
		}
	}()
	return nil
}

// join starts an elector behind its own relay.
func (g *group) join(name, id string) error {
	r, err := newRelay(strings.TrimPrefix(g.api, "http://"))
	if err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	m := &member{name: name, id: id, relay: r, command: exec.Command(self, "elector", "-server", r.url(), "-name", id)}
	m.command.Stderr = &m.log
	out, err := m.command.StdoutPipe()
	if err != nil {
		return err
	}
	if err := m.command.Start(); err != nil {
		return err
	}
	g.members = append(g.members, m)
	go func() {
		for lines := json.NewDecoder(out); ; {
			var e event
			if lines.Decode(&e) != nil {
				return
			}
			g.add(e)
		}
	}()
	return nil
}

// end kills the process, even a stopped one, and waits for it.
func (m *member) end() {
	if m.command.ProcessState != nil {
		return
	}
	_ = m.command.Process.Kill()
	m.relay.to(refusing)
	_ = m.command.Wait()
	_ = m.relay.listener.Close()
}
