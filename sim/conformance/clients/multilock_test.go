package clients

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/leaderelection/resourcelock"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/step"
)

// part is one of the two locks in a MultiLock: it answers by a script and records its calls.
type part struct {
	name   string
	script *script
}

type script struct {
	answers []answer
	asked   []string
}

// answer is the result of one request.
type answer struct {
	err    step.Result
	record resourcelock.LeaderElectionRecord
}

func (s *script) ask(what string) (resourcelock.LeaderElectionRecord, error) {
	a := s.answers[len(s.asked)]
	s.asked = append(s.asked, what)
	return a.record, errorOf(a.err)
}

func errorOf(r step.Result) error {
	of := schema.GroupResource{Resource: "locks"}
	switch r {
	case step.Success:
		return nil
	case step.NotFound:
		return apierrors.NewNotFound(of, "demo")
	case step.AlreadyExists:
		return apierrors.NewAlreadyExists(of, "demo")
	case step.Conflict:
		return apierrors.NewConflict(of, "demo", nil)
	}
	return apierrors.NewInternalError(fmt.Errorf("broken"))
}

func (p part) Get(context.Context) (*resourcelock.LeaderElectionRecord, []byte, error) {
	record, err := p.script.ask("get " + p.name)
	raw, _ := json.Marshal(record)
	return &record, raw, err
}

func (p part) Create(context.Context, resourcelock.LeaderElectionRecord) error {
	_, err := p.script.ask("create " + p.name)
	return err
}

func (p part) Update(context.Context, resourcelock.LeaderElectionRecord) error {
	_, err := p.script.ask("update " + p.name)
	return err
}

func (p part) RecordEvent(string) {}
func (p part) Identity() string   { return "me" }
func (p part) Describe() string   { return p.name }

// For random calls with random answers our MultiLock sends the requests of client-go's, in its order, and passes the
// same results to the elector. It sees a change of the observed record exactly when the bytes that client-go compares
// differ.
func TestMultiLockBesideTheRealOne(t *testing.T) {
	symbols := coordination.NewSymbols()
	results := []step.Result{step.Success, step.Success, step.Success, step.NotFound, step.AlreadyExists, step.Conflict, step.InternalError}
	verbs := []elector.Verb{elector.Get, elector.Get, elector.Create, elector.Update}
	r := rand.New(rand.NewPCG(1, 1))
	changes := map[bool]int{}
	for range 300 {
		var s script
		//lint:ignore SA1019 deprecated, since no lock is left that it could be made of; its code is that of v0.27
		real := resourcelock.MultiLock{Primary: part{"ConfigMap", &s}, Secondary: part{"Lease", &s}}
		ours := elector.MultiLock{Identity: symbols.Intern("me"), Unknown: symbols.Intern(resourcelock.UnknownLeader)} //lint:ignore SA1019 likewise
		var observedRaw []byte
		var observed coordination.Record
		hasRaw := false
		for range 20 {
			s = script{}
			for range 4 {
				s.answers = append(s.answers, answer{err: results[r.IntN(len(results))], record: resourcelock.LeaderElectionRecord{
					HolderIdentity: []string{"me", "other", ""}[r.IntN(3)], LeaseDurationSeconds: 15, LeaderTransitions: r.IntN(2),
					RenewTime: metav1.Unix(int64(1+r.IntN(2)), 0), AcquireTime: metav1.Unix(1, 0),
				}})
			}
			verb := verbs[r.IntN(len(verbs))]
			var record *resourcelock.LeaderElectionRecord
			var raw []byte
			var err error
			switch verb {
			case elector.Get:
				record, raw, err = real.Get(t.Context())
			case elector.Create:
				err = real.Create(t.Context(), resourcelock.LeaderElectionRecord{})
			default:
				err = real.Update(t.Context(), resourcelock.LeaderElectionRecord{})
			}

			var asked []string
			var in elector.Input
			ours.Begin(verb, &coordination.Record{}, false)
			for over := false; !over; {
				p := ours.Part()
				a := s.answers[len(asked)]
				asked = append(asked, p.Verb.String()+" "+map[elector.Object]string{elector.Lease: "Lease", elector.ConfigMap: "ConfigMap"}[p.Object])
				in = elector.Input{Kind: elector.Answer, Result: a.err}
				if a.err == step.Success {
					spec := resourcelock.LeaderElectionRecordToLeaseSpec(&a.record)
					in.Record = coordination.Record{
						HolderIdentity: symbols.Intern(a.record.HolderIdentity), LeaseDurationSeconds: *spec.LeaseDurationSeconds, LeaseTransitions: *spec.LeaseTransitions,
						AcquireTime: coordination.MicroTime(spec.AcquireTime.UnixMicro()), RenewTime: coordination.MicroTime(spec.RenewTime.UnixMicro()), Present: 31,
					}
				}
				over = ours.Answer(&in)
			}
			require.Equal(t, s.asked, asked)
			require.Equal(t, err == nil, in.Result == step.Success, "%v", asked)
			require.Equal(t, apierrors.IsNotFound(err), in.Result == step.NotFound)
			require.Equal(t, apierrors.IsConflict(err), in.Result == step.Conflict)
			if verb != elector.Get || err != nil {
				continue
			}
			require.Equal(t, record.HolderIdentity, symbols.Text(in.Record.HolderIdentity))
			require.EqualValues(t, record.LeaderTransitions, in.Record.LeaseTransitions)
			changed := !hasRaw || in.Changed || !observed.SameRaw(&in.Record) // as in Machine.got
			require.Equal(t, !bytes.Equal(raw, observedRaw), changed, "%s\n%s", observedRaw, raw)
			observedRaw, observed, hasRaw = raw, in.Record, true
			changes[changed]++
		}
	}
	require.Positive(t, changes[true])
	require.Positive(t, changes[false])
}
