// Package cost is a table of requests that are expensive to answer: deep, wide, repetitive, all within the 3 MiB that
// a server reads. BenchmarkCost prints the cost of each; a test measures how time and memory grow with the size.
//
// Guarantee: a case is the same request on every machine. Non-guarantee: the table has the expensive requests that we
// know; there may be others.
package cost

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/sim/serve"
)

// BodyBytes is the maximum length of a body that a server reads.
const BodyBytes = 3 << 20

const (
	leases = "/apis/coordination.k8s.io/v1/namespaces/default/leases"
	one    = leases + "/x"

	asJSON      = "application/json"
	asYAML      = "application/yaml"
	asMerge     = "application/merge-patch+json"
	asStrategic = "application/strategic-merge-patch+json"
	asJSONPatch = "application/json-patch+json"
	asApply     = "application/apply-patch+yaml"
)

// Case is one kind of request. Its size n goes up to Full, where the body is about BodyBytes long.
type Case struct {
	Name string
	Full int
	// Prepare returns requests to send first, without measurement.
	Prepare func(n int) []apiserver.Request
	Request func(n int) apiserver.Request
}

// Largest returns the largest size that a server answers, found by halving from Full.
func (c *Case) Largest() (int, error) {
	for n := c.Full; n >= 8; n /= 2 {
		m, err := c.At(n)
		if err != nil {
			continue // the request is too long, or the server refuses the preparation
		}
		if m.Do().Status != http.StatusRequestEntityTooLarge {
			return n, nil
		}
	}
	return 0, fmt.Errorf("%s: refused at every size", c.Name)
}

// Measured is a prepared server and the request to measure.
type Measured struct {
	Server  *apiserver.Server
	Now     time.Time
	Request apiserver.Request
}

// At prepares a case at size n.
func (c *Case) At(n int) (*Measured, error) {
	config := apiserver.Config{Coordinated: true, Versions: []string{"v1beta1"}, Seed: 1, FirstRevision: 1000,
		InParts: true}
	serve.Native(&config)
	m := &Measured{Server: apiserver.New(config), Now: time.Date(2026, 10, 1, 9, 30, 0, 0, time.UTC)}
	if err := serve.Prepare(m.Server, m.Now, ""); err != nil {
		return nil, err
	}
	if c.Prepare != nil {
		for _, r := range c.Prepare(n) {
			if a := m.Server.Handle(m.Now, &r); a.Status >= 300 {
				return nil, fmt.Errorf("%s %s: %d %.300s", r.Method, r.Path, a.Status, a.Body)
			}
		}
	}
	m.Request = c.Request(n)
	if len(m.Request.Body) > BodyBytes {
		return nil, fmt.Errorf("the body of %d bytes is longer than a server reads", len(m.Request.Body))
	}
	return m, nil
}

// Do answers the request and reads all parts of the answer.
func (m *Measured) Do() apiserver.Response {
	return m.Server.Finish(m.Now, &m.Request).Whole()
}

func request(method, target, media, body string) apiserver.Request {
	r := apiserver.Request{Method: method, Header: map[string]string{}, Body: []byte(body)}
	if media != "" {
		r.Header["content-type"] = media
	}
	r.Path, r.Query, _ = apiserver.ParseTarget(target)
	return r
}

// create returns a POST of a Lease x with additional metadata.
func create(metadata string) apiserver.Request {
	return request("POST", leases, asJSON, `{"metadata":{"name":"x",`+metadata+`},"spec":{}}`)
}

func patch(media, body string) apiserver.Request {
	return request("PATCH", one+"?fieldManager=cost", media, body)
}

// joinTexts joins n texts made from their index.
func joinTexts(n int, text func(i int) string) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(text(i))
	}
	return b.String()
}

func owner(i int) string {
	return fmt.Sprintf(`{"apiVersion":"v1","kind":"P","name":"%d","uid":"%d"}`, i, i)
}

func owners(n int) string { return `"ownerReferences":[` + joinTexts(n, owner) + `]` }

func finalizers(n int) string {
	return `"finalizers":[` + joinTexts(n, func(i int) string { return fmt.Sprintf(`"a/%d"`, i) }) + `]`
}

func labels(n int) string {
	return `"labels":{` + joinTexts(n, func(i int) string { return fmt.Sprintf(`"l%d":""`, i) }) + `}`
}

// nest returns n nested objects.
func nest(n int, inside string) string {
	return strings.Repeat(`{"a":`, n) + inside + strings.Repeat(`}`, n)
}

func empty(int) []apiserver.Request { return []apiserver.Request{create(`"labels":{}`)} }

func with(metadata func(n int) string) func(n int) []apiserver.Request {
	return func(n int) []apiserver.Request { return []apiserver.Request{create(metadata(n))} }
}

func applyRequests(metadata func(n int) string) func(n int) []apiserver.Request {
	return func(n int) []apiserver.Request {
		r := patch(asApply, applyOf(metadata(n)))
		r.Path, r.Query, _ = apiserver.ParseTarget(one + "?fieldManager=first")
		return []apiserver.Request{r}
	}
}

func applyOf(metadata string) string {
	return `{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"x",` + metadata + `}}`
}
