package apiserver_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"

	"github.com/leaselab/leaselab/core/apiserver"
)

// client talks to one server that has the namespaces default, ns-a and ns-b.
type client struct {
	t      testing.TB
	server *apiserver.Server
	now    time.Time
}

func newClient(t testing.TB, change ...func(*apiserver.Config)) *client {
	config := apiserver.Config{Coordinated: true, Versions: []string{"v1beta1", "v1alpha2"}, Seed: 1, YAML: yaml.YAMLToJSON}
	for _, f := range change {
		f(&config)
	}
	c := &client{t: t, server: apiserver.New(config), now: time.Date(2026, 10, 1, 9, 30, 0, 0, time.UTC)}
	for _, name := range []string{"default", "ns-a", "ns-b"} {
		c.make("/api/v1/namespaces", `{"metadata":{"name":"`+name+`"}}`)
	}
	return c
}

const (
	leasesA = "/apis/coordination.k8s.io/v1/namespaces/ns-a/leases"
	leasesB = "/apis/coordination.k8s.io/v1/namespaces/ns-b/leases"
)

// do sends a request; more lists headers, by name and value.
func (c *client) do(method, target, body string, more ...string) apiserver.Response {
	r := apiserver.Request{Method: method, Body: []byte(body), Header: map[string]string{"content-type": "application/json"}}
	for i := 0; i < len(more); i += 2 {
		r.Header[more[i]] = more[i+1]
	}
	r.Path, r.Query, _ = apiserver.ParseTarget(target)
	return c.server.Handle(c.now, &r)
}

// make creates an object.
func (c *client) make(path, body string) {
	c.t.Helper()
	r := c.do("POST", path, body)
	require.Equal(c.t, 201, r.Status, "%s", r.Body)
}

// lease creates Leases in ns-a by name.
func (c *client) lease(names ...string) {
	c.t.Helper()
	for _, name := range names {
		c.make(leasesA, `{"metadata":{"name":"`+name+`"}}`)
	}
}

// answer is a response with the members that tests read.
type answer struct {
	Status                int
	Kind, Reason, Message string
	Metadata              struct {
		Name, ResourceVersion, Continue, DeletionTimestamp string
		RemainingItemCount                                 *int64
		Finalizers                                         []string
		Labels                                             map[string]string
	}
	Spec  map[string]any
	Items []struct {
		Metadata struct{ Name, Namespace, ResourceVersion string }
	}
}

func (c *client) ask(method, target, body string, more ...string) answer {
	c.t.Helper()
	r := c.do(method, target, body, more...)
	var shape struct {
		answer
		Status any
	}
	require.NoError(c.t, json.Unmarshal(r.Body, &shape), "%s", r.Body)
	shape.answer.Status = r.Status
	return shape.answer
}

// names returns the names of a list's items.
func (a *answer) names() string {
	names := make([]string, 0, len(a.Items))
	for i := range a.Items {
		names = append(names, a.Items[i].Metadata.Name)
	}
	return strings.Join(names, " ")
}

func (c *client) watch(target string, more ...string) *apiserver.Watch {
	c.t.Helper()
	r := c.do("GET", target, "", more...)
	require.Equal(c.t, 200, r.Status, "%s", r.Body)
	require.NotNil(c.t, r.Watch)
	return r.Watch
}

// pollText polls a watch and returns each frame as its type, name and resourceVersion, and "end" when the watch ends.
func (c *client) pollText(w *apiserver.Watch) string {
	c.t.Helper()
	frames, ended := c.server.Poll(c.now, w)
	var said []string
	for _, f := range frames {
		var event struct {
			Type   string
			Object struct {
				Metadata struct {
					Name, ResourceVersion string
					Annotations           map[string]string
				}
				Message string
			}
		}
		require.NoError(c.t, json.Unmarshal(f, &event), "%s", f)
		words := []string{event.Type}
		for _, word := range []string{event.Object.Metadata.Name, event.Object.Metadata.ResourceVersion, event.Object.Message} {
			if word != "" {
				words = append(words, word)
			}
		}
		if event.Object.Metadata.Annotations["k8s.io/initial-events-end"] == "true" {
			words = append(words, "initial-end")
		}
		said = append(said, strings.Join(words, " "))
	}
	if ended {
		said = append(said, "end")
	}
	return strings.Join(said, ", ")
}
