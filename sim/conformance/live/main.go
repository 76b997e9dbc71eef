// Command live sends recorded exchanges to a real kube-apiserver again. It finds out whether the recordings are also
// right for a newer release, and whether a new case is right: `make live SERVER=https://127.0.0.1:6443 TOKEN=...`. It
// needs an administrator's token, and a server that has no other purpose: the command creates the namespaces ns-a and
// ns-b and empties them, and removes t-one and t-two.
//
// Guarantee: requests and comparisons are the same as in the tests of core/apiserver and sim/serve. Non-guarantee:
// answers differ if the release has other messages, or if the server is so slow that a case lasts into the next second.
//
// Exit codes: 0 all answers are equal, 1 usage or an unreachable server, 2 an answer differs.
package main

import (
	"bufio"
	"crypto/tls"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/leaselab/leaselab/sim/testsupport/recorded/exchange"
)

// live is the server that answers the replayed cases. After the first failed request, the replay ends.
type live struct {
	server, token string
	client        *http.Client
	failed        error
}

// Before does nothing: these cases have no manual steps.
func (l *live) Before(*exchange.Case, int) {}

func (l *live) Send(step *exchange.Step, query [][2]string, path, body string) exchange.Answer {
	var raw []string
	for _, q := range query {
		raw = append(raw, url.QueryEscape(q[0])+"="+url.QueryEscape(q[1]))
	}
	if len(raw) > 0 {
		path += "?" + strings.Join(raw, "&")
	}
	if step.Stream {
		a, err := l.open(path, step.Header)
		l.note(err)
		return a
	}
	return l.ask(step.Method, path, step.Header, body)
}

// open begins a watch. The server may refuse it.
func (l *live) open(target string, header map[string]string) (exchange.Answer, error) {
	r, err := l.request("GET", target, header, "")
	if err != nil {
		return exchange.Answer{}, err
	}
	answer, err := l.client.Do(r)
	if err != nil {
		return exchange.Answer{}, err
	}
	a := exchange.Answer{Status: answer.StatusCode}
	if a.Status != http.StatusOK {
		defer answer.Body.Close()
		a.Body, err = io.ReadAll(answer.Body)
		return a, err
	}
	s := &stream{answer.Body, make(chan []byte, 100)}
	go s.read()
	a.Stream = s
	return a, nil
}

// stream is an open watch.
type stream struct {
	body   io.ReadCloser
	frames chan []byte
}

func (s *stream) read() {
	for lines := bufio.NewReader(s.body); ; {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			close(s.frames)
			return
		}
		s.frames <- line
	}
}

// Frames waits at most 70 s for the wanted frames; a bookmark comes once a minute.
func (s *stream) Frames(want int) (frames [][]byte, ended bool) {
	for patience := time.After(70 * time.Second); len(frames) < want; {
		select {
		case frame, open := <-s.frames:
			if !open {
				return frames, true
			}
			frames = append(frames, frame)
		case <-patience:
			return frames, false
		}
	}
	return frames, false
}

func (s *stream) Close() { s.body.Close() }

func (l *live) ask(method, target string, header map[string]string, body string) exchange.Answer {
	a, err := l.answer(method, target, header, body)
	l.note(err)
	return a
}

// note keeps the first error.
func (l *live) note(err error) {
	if err != nil && l.failed == nil {
		l.failed = err
	}
}

func (l *live) answer(method, target string, header map[string]string, body string) (exchange.Answer, error) {
	r, err := l.request(method, target, header, body)
	if err != nil {
		return exchange.Answer{}, err
	}
	answer, err := l.client.Do(r)
	if err != nil {
		return exchange.Answer{}, err
	}
	defer answer.Body.Close()
	a := exchange.Answer{Status: answer.StatusCode, Header: map[string][]string{}}
	for name, values := range answer.Header {
		a.Header[strings.ToLower(name)] = values
	}
	a.Body, err = io.ReadAll(answer.Body)
	return a, err
}

func (l *live) request(method, target string, header map[string]string, body string) (*http.Request, error) {
	r, err := http.NewRequest(method, l.server+target, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("User-Agent", "") // the server would take a manager's name from the client's own value
	r.Header.Set("Authorization", "Bearer "+l.token)
	for name, value := range header {
		r.Header.Set(name, value)
	}
	return r, nil
}

// empty removes all Leases, LeaseCandidates and ConfigMaps from the two namespaces, and the namespaces that cases make.
func (l *live) empty() error {
	plain, merge := map[string]string{"Content-Type": "application/json"}, map[string]string{"Content-Type": "application/merge-patch+json"}
	for _, namespace := range []string{"t-one", "t-two"} {
		l.ask("DELETE", "/api/v1/namespaces/"+namespace, nil, "")
		l.ask("PUT", "/api/v1/namespaces/"+namespace+"/finalize", plain, `{"metadata":{"name":"`+namespace+`"}}`)
	}
	for _, namespace := range []string{"ns-a", "ns-b"} {
		l.ask("POST", "/api/v1/namespaces", plain, `{"metadata":{"name":"`+namespace+`"}}`)
		const coordination = "/apis/coordination.k8s.io/"
		for _, all := range []string{coordination + "v1/namespaces/" + namespace + "/leases",
			coordination + "v1beta1/namespaces/" + namespace + "/leasecandidates", "/api/v1/namespaces/" + namespace + "/configmaps"} {
			names, err := l.names(all)
			if err != nil {
				return err
			}
			for _, name := range names {
				l.ask("PATCH", all+"/"+name, merge, `{"metadata":{"finalizers":null}}`)
				l.ask("DELETE", all+"/"+name, nil, "")
			}
			if names, err = l.names(all); err != nil {
				return err
			}
			if len(names) > 0 {
				return fmt.Errorf("%s: %v still exist after their deletion", all, names)
			}
		}
	}
	return l.failed
}

func (l *live) names(all string) (names []string, err error) {
	answer := l.ask("GET", all, nil, "")
	if l.failed != nil {
		return nil, l.failed
	}
	if answer.Status != http.StatusOK {
		return nil, fmt.Errorf("GET %s: %d: %s", all, answer.Status, answer.Body)
	}
	var list struct {
		Items []struct{ Metadata struct{ Name string } }
	}
	if err := json.Unmarshal(answer.Body, &list); err != nil {
		return nil, fmt.Errorf("GET %s: %w", all, err)
	}
	for _, item := range list.Items {
		names = append(names, item.Metadata.Name)
	}
	return names, nil
}

// replay sends every case and prints the differences.
func (l *live) replay(cases []exchange.Case) (matched, steps int, err error) {
	for i := range cases {
		c := &cases[i]
		if err := l.empty(); err != nil {
			return matched, steps, err
		}
		// A case must end in the second in which it begins, so wait for the next second.
		now := time.Now()
		time.Sleep(now.Truncate(time.Second).Add(1050 * time.Millisecond).Sub(now))
		bad := map[int]bool{}
		for _, m := range exchange.Run(l, c) {
			bad[m.Step] = true
			step := c.Steps[m.Step]
			fmt.Printf("%s/%s step %d: %s %s %v %s\n  %s\n", c.File, c.Name, m.Step, step.Method, step.Path, step.Query, step.Body, m.What)
		}
		if l.failed != nil {
			return matched, steps, l.failed
		}
		matched, steps = matched+len(c.Steps)-len(bad), steps+len(c.Steps)
		fmt.Fprintf(os.Stderr, "%d of %d cases\r", i+1, len(cases))
	}
	return matched, steps, nil
}

// compare sends the requests of every difference and prints where the server does not give the recorded answer. It leaves
// out requests for servers without the gate CoordinatedLeaderElection, and requests that upstream answers by chance.
func (l *live) compare(all []exchange.Difference) (matched, classes int, err error) {
	for i := range all {
		d := &all[i]
		if d.GateOff || exchange.Named[d.Name] == exchange.Chance {
			continue
		}
		if err := l.empty(); err != nil {
			return matched, classes, err
		}
		wrong := d.Replay(l)
		if l.failed != nil && exchange.Named[d.Name] == "" {
			return matched, classes, l.failed
		}
		l.failed = nil
		if classes++; len(wrong) == 0 {
			matched++
			continue
		}
		fmt.Printf("%s\n  %s\n", d.Name, strings.Join(wrong, "\n  "))
	}
	return matched, classes, nil
}

func main() {
	server := flag.String("server", "", "address of a kube-apiserver, such as https://127.0.0.1:6443; its certificate is not verified")
	token := flag.String("token", "", "bearer token of an administrator")
	flag.Parse()
	if *server == "" || flag.NArg() > 0 {
		fmt.Fprintln(os.Stderr, "live: --server is missing: the address of a kube-apiserver for this purpose only")
		flag.Usage()
		os.Exit(1)
	}
	cases, err := exchange.Further()
	differences, wrong := exchange.Differences()
	if err = errors.Join(err, wrong); err == nil {
		l := &live{server: strings.TrimSuffix(*server, "/"), token: *token, client: &http.Client{Timeout: time.Minute, Transport: &http.Transport{
			TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, DisableCompression: true,
		}}}
		var matched, steps int
		if matched, steps, err = l.replay(cases); err == nil {
			fmt.Printf("further exchanges, of a live server: %d of %d steps matched\n", matched, steps)
			same, classes, wrong := l.compare(differences)
			if err = wrong; err == nil {
				fmt.Printf("differences, of a live server: %d of %d classes matched\n", same, classes)
				if matched < steps || same < classes {
					os.Exit(2)
				}
				return
			}
		}
	}
	fmt.Fprintln(os.Stderr, "live:", err)
	os.Exit(1)
}
