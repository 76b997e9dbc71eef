package apiserver_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/core/apiserver/openapi"
	"github.com/leaselab/leaselab/sim/recorded/exchange"
)

// pure replays against the function. Time goes on by a little with every step.
type pure struct {
	*exchange.Fixture
	now time.Time
}

// modes are the flags that the recorded servers ran with.
func modes(server string) apiserver.Config {
	config := exchange.Config(server)
	config.YAML, config.OpenAPI = yaml.YAMLToJSON, openapi.Documents()
	config.StrictYAML = func(data []byte) error { _, err := yaml.YAMLToJSONStrict(data); return err }
	return config
}

func newPure(c *exchange.Case) *pure {
	return &pure{exchange.NewFixture(c, modes(c.Server)), exchange.Began}
}

// Before does what the recorder did by hand.
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

// Frames lets time pass, at most two minutes, until there are as many frames as are wanted.
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

// Every recorded exchange is answered as the real server answered it.
func TestRecordedExchanges(t *testing.T) {
	cases, err := exchange.Cases()
	require.NoError(t, err)
	matched, steps := replay(t, cases)
	fmt.Printf("recorded exchanges: %d of %d steps matched\n", matched, steps)
}

// So are those that were recorded later.
func TestFurtherExchanges(t *testing.T) {
	cases, err := exchange.Further()
	require.NoError(t, err)
	matched, steps := replay(t, cases)
	fmt.Printf("further exchanges: %d of %d steps matched\n", matched, steps)
}

// replay goes through the cases, or those that CASE names; CASES lists the ones that differ.
func replay(t *testing.T, cases []exchange.Case) (matched, steps int) {
	only := os.Getenv("CASE")
	for i := range cases {
		c := &cases[i]
		if only != "" && !strings.HasPrefix(c.File+"/"+c.Name, only) {
			continue
		}
		wrong := exchange.Run(newPure(c), c)
		bad := map[int]bool{}
		for _, m := range wrong {
			if _, known := exchange.NotReplayed[exchange.StepName(c, m.Step)]; !known {
				step := c.Steps[m.Step]
				assert.Fail(t, fmt.Sprintf("%s/%s step %d: %s %s %v\n  %s\n  %s", c.File, c.Name, m.Step, step.Method, step.Path, step.Query, strings.ReplaceAll(step.Body, "\n", " "), m.What))
			}
			bad[m.Step] = true
		}
		matched, steps = matched+len(c.Steps)-len(bad), steps+len(c.Steps)
		if os.Getenv("CASES") != "" && len(bad) > 0 {
			fmt.Printf("%-24s %-28s %3d of %3d\n", c.File, c.Name, len(c.Steps)-len(bad), len(c.Steps))
		}
	}
	assert.NotZero(t, steps)
	return matched, steps
}
