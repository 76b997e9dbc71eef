package controllers_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/benbjohnson/clock"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/sim/compile"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
	"github.com/leaselab/leaselab/sim/serve"
	"github.com/leaselab/leaselab/sim/serve/controllers"
	"github.com/leaselab/leaselab/sim/world"
)

// Beside a simulation the controllers elect for the leaseNames that the simulated control plane does not know, by acts
// that a page can replay, and leave the scenario's own Lease to it.
func TestElectionsBesideASimulation(t *testing.T) {
	s, _ := shipped.ByName("better-candidate")
	setup, mock := compile.Scenario(s), clock.NewMock()
	simulation := serve.NewSimulation(setup, mock, 1e6, 0)
	var spared []string
	simulation.Keep = controllers.New(simulation, controllers.Options{
		Candidates: "coordination.k8s.io/v1beta1",
		Spared: func(namespace, name string) bool {
			if namespace == setup.Namespace && name == setup.LeaseNames[0] {
				spared = append(spared, name)
				return true
			}
			return false
		},
	}).Advance
	ask := func(method, path, body string) (int, map[string]any) {
		answer := simulation.Handle(mock.Now(), &apiserver.Request{Method: method, Path: path, Body: []byte(body), Header: map[string]string{"content-type": "application/json"}})
		var object map[string]any
		require.NoError(t, json.Unmarshal(answer.Body, &object), "%s", answer.Body)
		return answer.Status, object
	}
	mock.Add(10 * time.Second)
	code, made := ask("POST", candidates, fmt.Sprintf(`{"metadata":{"name":"mine"},"spec":{"leaseName":"another","binaryVersion":"1.36.0","emulationVersion":"1.36.0","strategy":"OldestEmulationVersion","renewTime":%q}}`, stamp(world.Clock(10e9))))
	require.Equal(t, 201, code, made)
	mock.Add(5 * time.Second)
	code, lease := ask("GET", leases+"/another", "")
	require.Equal(t, 200, code, lease)
	assert.Equal(t, "mine", at(lease, "spec.holderIdentity"))
	assert.NotEmpty(t, spared, "the simulated control plane elects for the scenario's Lease")
	code, lease = ask("GET", leases+"/"+setup.LeaseNames[0], "")
	require.Equal(t, 200, code, lease)
	assert.Equal(t, "a", at(lease, "spec.holderIdentity"))
}

// Without controllers old Events are deleted all the same, and nothing else is done.
func TestEventsEndWithoutControllers(t *testing.T) {
	c := newCluster(t, "coordination.k8s.io/v1beta1")
	c.set = controllers.NewExpiry(controllers.Alone{Server: c.server})
	c.do("POST", events, `{"metadata":{"name":"demo.1"},"involvedObject":{"kind":"Lease","namespace":"default","name":"demo"}}`)
	c.candidate("a", "demo", "1.36.0")
	c.pass(59 * time.Minute)
	assert.Equal(t, 200, first(c.ask("GET", events+"/demo.1", "")))
	c.pass(2 * time.Minute)
	assert.Equal(t, 404, first(c.ask("GET", events+"/demo.1", "")))
	assert.Equal(t, 404, first(c.ask("GET", leases+"/demo", "")), "nobody is elected")
}
