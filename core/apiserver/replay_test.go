package apiserver_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/core/apiserver/openapi"
	"github.com/leaselab/leaselab/sim/testsupport/recorded/exchange"
)

// pure replays against Server.Handle. Each step advances the clock a little.
type pure struct {
	*exchange.Fixture
	now time.Time
}

// modes returns the configuration for the flags that the recorded servers ran with.
func modes(server string) apiserver.Config {
	config := exchange.Config(server)
	config.YAML, config.OpenAPI = yaml.YAMLToJSON, openapi.Documents()
	config.StrictYAML = func(data []byte) error { _, err := yaml.YAMLToJSONStrict(data); return err }
	return config
}

func newPure(c *exchange.Case) *pure {
	return &pure{exchange.NewFixture(c, modes(c.Server)), exchange.Began}
}

// Before does the manual steps of the recorder.
func (p *pure) Before(_ *exchange.Case, step int) { p.Fixture.Before(p.now, step) }

func (p *pure) Send(step *exchange.Step, query [][2]string, path, body string) exchange.Answer {
	p.now = p.now.Add(20 * time.Millisecond)
	r := apiserver.Request{Method: step.Method, Body: []byte(p.Body(body)), Header: map[string]string{}}
	r.Path, r.Query, _ = apiserver.ParseTarget(path)
	for _, q := range query {
		r.Query = append(r.Query, apiserver.Param{Name: q[0], Value: q[1]})
	}
	switch step.Auth {
	case exchange.Admin:
		r.Header["authorization"] = "Bearer " + exchange.Token
	case exchange.Stranger:
		r.Header["authorization"] = "Bearer " + exchange.StrangersToken
	}
	for name, value := range step.Header {
		r.Header[name] = value
	}
	answer := p.Server.Handle(p.now, &r)
	if answer.Hold != nil {
		p.now = p.now.Add(answer.Hold.For)
	}
	a := exchange.Answer{Status: answer.Status, Header: map[string][]string{}, Body: p.Answer(answer.Body)}
	for _, h := range answer.Header {
		a.Header[h.Name] = append(a.Header[h.Name], h.Value)
	}
	if answer.Watch != nil {
		w := &pureStream{p: p, watch: answer.Watch}
		if step.Stream {
			a.Stream = w
			return a
		}
		for !w.ended {
			frames, _ := w.poll()
			for _, f := range frames {
				a.Body = append(a.Body, f...)
			}
			p.now = p.now.Add(100 * time.Millisecond)
		}
	}
	return a
}

type pureStream struct {
	p     *pure
	watch *apiserver.Watch
	ended bool
}

func (s *pureStream) poll() (frames [][]byte, ended bool) {
	if s.ended {
		return nil, true
	}
	frames, s.ended = s.p.Server.Poll(s.p.now, s.watch)
	return frames, s.ended
}

// Frames advances the clock, by at most two minutes, until the watch has sent the wanted number of frames.
func (s *pureStream) Frames(want int) (frames [][]byte, ended bool) {
	for waited := 0; ; waited++ {
		more, ended := s.poll()
		frames = append(frames, more...)
		if len(frames) >= want || ended || waited == 1200 {
			return frames, ended
		}
		s.p.now = s.p.now.Add(100 * time.Millisecond)
	}
}

func (s *pureStream) Close() {}

// Every recorded request gets the real server's answer, except the few that NotReplayed names. The README states their
// number.
func TestRecordedExchanges(t *testing.T) {
	first, err := exchange.Cases()
	require.NoError(t, err)
	further, err := exchange.Further()
	require.NoError(t, err)
	only := os.Getenv("CASE") // the prefix of the cases to run
	steps, differing := 0, map[string]bool{}
	for _, c := range slices.Concat(first, further) {
		if !strings.HasPrefix(c.File+"/"+c.Name, only) {
			continue
		}
		steps += len(c.Steps)
		for _, m := range exchange.Run(newPure(&c), &c) {
			name := exchange.StepName(&c, m.Step)
			differing[name] = true
			if _, known := exchange.NotReplayed[name]; !known {
				step := c.Steps[m.Step]
				assert.Fail(t, "an answer differs", "%s/%s step %d: %s %s %v\n  %s\n  %s", c.File, c.Name, m.Step,
					step.Method, step.Path, step.Query, strings.ReplaceAll(step.Body, "\n", " "), m.What)
			}
		}
	}
	if only != "" {
		t.Skipf("%d steps of the cases that begin with %q, %d differ", steps, only, len(differing))
	}
	for name := range exchange.NotReplayed {
		assert.True(t, differing[name], "%s matches now: remove it from NotReplayed", name)
	}
	readme, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	says := fmt.Sprintf("%s of %s recorded requests get", thousands(steps-len(differing)), thousands(steps))
	assert.Contains(t, strings.Join(strings.Fields(string(readme)), " "), says)
}

// thousands prints a number of up to six digits with a comma.
func thousands(n int) string { return fmt.Sprintf("%d,%03d", n/1000, n%1000) }
