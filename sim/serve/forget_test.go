package serve

import (
	"fmt"
	"strings"
	"testing"

	"github.com/benbjohnson/clock"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/sim/compile"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
	"github.com/leaselab/leaselab/sim/world"
)

// written is a served simulation and what the test writes to it.
type written struct {
	t *testing.T
	*Simulation
}

func openWritten(t *testing.T, name string) written {
	t.Helper()
	s, found := shipped.ByName(name)
	require.True(t, found)
	return written{t, NewSimulation(compile.Scenario(s), clock.NewMock(), 1_000_000, 256<<20)}
}

func (w written) on(seconds int64) {
	w.now += seconds * 1_000_000_000
	w.runTo(w.now)
}

func (w written) ask(method, path, body string) (int, string) {
	media := "application/json"
	if method == "PATCH" {
		media = "application/merge-patch+json"
	}
	r := &apiserver.Request{Method: method, Path: "/apis/coordination.k8s.io/" + path, Header: map[string]string{"content-type": media}, Body: []byte(body)}
	answer := w.Handle(world.Clock(w.now), r)
	return answer.Status, string(answer.Body)
}

func (w written) does(method, path, body string) {
	w.t.Helper()
	code, said := w.ask(method, path, body)
	require.Less(w.t, code, 300, "%s %s: %.300s", method, path, said)
}

const leasesPath = "v1/namespaces/default/leases"

// A simulation that forgets continues like one that does not: the same trace, the same objects, the same frames of a
// watch.
func TestForgettingChangesNothing(t *testing.T) {
	for _, name := range []string{"better-candidate"} {
		t.Run(name, func(t *testing.T) {
			var saw [2]string
			for i, forgets := range []bool{false, true} {
				w := openWritten(t, name)
				w.on(30)
				watch := w.Handle(world.Clock(w.now), &apiserver.Request{Method: "GET", Path: "/apis/coordination.k8s.io/v1/leases", Query: []apiserver.Param{{Name: "watch", Value: "1"}}})
				require.NotNil(t, watch.Watch)
				var frames []byte
				poll := func() {
					w.Look(world.Clock(30_000_000_000), watch.Watch)
					told, _ := watch.Watch.Frames(&apiserver.SharedFrames{}, 1<<20)
					for _, frame := range told {
						frames = append(frames, frame...)
					}
				}
				w.does("POST", leasesPath, `{"metadata":{"name":"beside","labels":{"a":"b"}}}`)
				w.does("POST", leasesPath, `{"metadata":{"name":"gone"}}`)
				for n := range 8 {
					code, said := w.ask("PATCH", leasesPath+"/demo", fmt.Sprintf(`{"metadata":{"labels":{"n":"%d"}}}`, n))
					require.Contains(t, []int{200, 404}, code, said)
					w.does("PATCH", leasesPath+"/beside", fmt.Sprintf(`{"metadata":{"annotations":{"n":"%d"}}}`, n))
					_, _ = w.ask("PATCH", "v1beta1/namespaces/default/leasecandidates/b", fmt.Sprintf(`{"metadata":{"labels":{"n":"%d"}}}`, n)) // if there is one
					if n == 5 {
						w.does("DELETE", leasesPath+"/gone", "")
					}
					if forgets {
						w.mirror.Forget(w.world)
					}
					w.on(7)
					poll()
				}
				w.does("PATCH", leasesPath+"/demo", `{"metadata":{"labels":{"n":"last"}}}`)
				if forgets {
					w.mirror.Forget(w.world)
				}
				w.mirror = w.world.NewMirror(mirrored) // as after a rollback
				_, list := w.ask("GET", "v1/leases", "")
				_, candidates := w.ask("GET", "v1beta1/leasecandidates", "")
				assert.Contains(t, list, `"a":"b"`)
				assert.Contains(t, list, `"n":"last"`)
				saw[i] = fmt.Sprint(w.world.Hash(), "\n", list, "\n", candidates, "\n", string(frames))
			}
			assert.Equal(t, saw[0], saw[1])
		})
	}
}

// What a served simulation keeps is bounded, however long it runs and however many writes it gets.
func TestServedSimulationIsBounded(t *testing.T) {
	w := openWritten(t, "a-leader-dies")
	w.bounds = bounds{bytes: 200_000, versions: 10, names: 200_000}
	w.on(30)
	w.does("POST", leasesPath, `{"metadata":{"name":"beside"}}`)
	write := func(writes, length, most int) {
		for i := range writes {
			for _, name := range []string{"demo", "beside"} {
				w.does("PATCH", leasesPath+"/"+name, fmt.Sprintf(`{"metadata":{"annotations":{"n":"%s%d"}}}`, strings.Repeat("x", length), i))
			}
			require.LessOrEqual(t, w.world.Store().RememberedCount(), most)
		}
	}
	write(12, 10, 20)
	w.mirror.Forget(w.world)
	w.bounds.versions = 1 << 30
	write(12, 20_000, 12) // each write counts its request and its answer

	code, said := 200, ""
	for i := range 10 {
		if code, said = w.ask("PATCH", leasesPath+"/demo", fmt.Sprintf(`{"spec":{"holderIdentity":"%s%d"}}`, strings.Repeat("h", 40_000), i)); code != 200 {
			break
		}
	}
	assert.Equal(t, 500, code)
	assert.Contains(t, said, "database space exceeded")
	w.does("DELETE", leasesPath+"/demo", "")
}
