package types

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	coordinationv1alpha2 "k8s.io/api/coordination/v1alpha2"
	coordinationv1beta1 "k8s.io/api/coordination/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	apitypes "k8s.io/apimachinery/pkg/types"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/wire"
)

// times multiplies the number of random cases.
var times = flag.Uint64("times", 1, "multiplies the number of random cases")

// scheme registers the real types.
var scheme = func() *runtime.Scheme {
	s := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{coordinationv1.AddToScheme, coordinationv1beta1.AddToScheme, coordinationv1alpha2.AddToScheme} {
		if err := add(s); err != nil {
			panic(err)
		}
	}
	return s
}()

// draw is a stream of random values.
type draw struct{ *rand.Rand }

func from(seed uint64) draw { return draw{rand.New(rand.NewPCG(seed, 0))} }

func (d draw) one(of ...string) string { return of[d.IntN(len(of))] }

func (d draw) chance(percent int) bool { return d.IntN(100) < percent }

// pieces are parts of strings: everything that JSON and YAML treat specially.
var pieces = []string{
	"a", "lease", " ", "  ", ":", ": ", "#", " #", "-", "- ", "?", "!", "&", "*", "|", ">", "<", "%", "@", "`", "'", `"`, `\`, "/", "{", "}", "[", "]", ",", "\t",
	"\n", "\n\n", "0", "1", "1.5", "0x1f", "1e3", "_", "~", "null", "true", "yes", "No", "on", ".", "..", "...", "---", "=", "<<", "é", "日本", "\u00a0", "\u2028",
	"\u2029", "🙂", "\ufeff", "1:30", "2026-01-02", "long words go on and on and on ", "+", "Z", "$", "^", "(", ")", ";",
}

// unprintable are characters that YAML cannot hold raw.
var unprintable = []string{"\x00", "\x01", "\x1f", "\x7f", "\u0085", "\r", "\u0080", "\ufffe"}

func (d draw) text() string {
	var b strings.Builder
	for range d.IntN(6) {
		b.WriteString(pieces[d.IntN(len(pieces))])
	}
	return b.String()
}

// raw returns a random text with any characters.
func (d draw) raw() string {
	if d.chance(80) {
		return d.text()
	}
	return d.text() + d.one(unprintable...) + d.text()
}

func maybe[T any](d draw, make func() T) *T {
	if d.chance(40) {
		return nil
	}
	v := make()
	return &v
}

// maker makes random objects.
type maker struct {
	draw
	text func() string
}

func (m maker) instant() metav1.Time {
	return metav1.Time{Time: time.Unix(m.Int64N(8e9)-1e9, 0).In(time.FixedZone("", (m.IntN(27)-13)*3600))}
}

func (m maker) micro() metav1.MicroTime {
	return metav1.MicroTime{Time: time.Unix(m.Int64N(8e9)-1e9, m.Int64N(1e9)/1000*1000).UTC()}
}

func (m maker) texts() map[string]string {
	if m.chance(40) {
		return nil
	}
	all := map[string]string{}
	for range m.IntN(4) {
		all[m.text()] = m.text()
	}
	return all
}

func (m maker) number() int32 { return int32(m.Uint32()) >> m.IntN(32) }

// fields returns a random set of fields in its stored form.
func (m maker) fields(depth int) map[string]any {
	set := map[string]any{}
	for range m.IntN(4) {
		name := m.one("f:metadata", "f:spec", "f:"+m.text(), ".", `v:"x"`, `v:3`, `k:{"uid":"u"}`, "i:2", `k:{"a":1,"b":true}`)
		set[name] = map[string]any{}
		if depth > 0 && name != "." {
			set[name] = m.fields(depth - 1)
		}
	}
	return set
}

func (m maker) meta() metav1.ObjectMeta {
	meta := metav1.ObjectMeta{
		//lint:ignore SA1019 the server returns what the client sent
		SelfLink: m.text(),
		Name:     m.text(), GenerateName: m.text(), Namespace: m.text(), UID: apitypes.UID(m.text()), ResourceVersion: m.text(),
		Generation: m.Int64() >> m.IntN(64), DeletionGracePeriodSeconds: maybe(m.draw, m.Int64), Labels: m.texts(), Annotations: m.texts(),
		DeletionTimestamp: maybe(m.draw, m.instant),
	}
	if m.chance(60) {
		meta.CreationTimestamp = m.instant()
	}
	for range m.IntN(3) {
		meta.OwnerReferences = append(meta.OwnerReferences, metav1.OwnerReference{
			APIVersion: m.text(), Kind: m.text(), Name: m.text(), UID: apitypes.UID(m.text()),
			Controller: maybe(m.draw, func() bool { return m.chance(50) }), BlockOwnerDeletion: maybe(m.draw, func() bool { return m.chance(50) }),
		})
		meta.Finalizers = append(meta.Finalizers, m.text())
	}
	for range m.IntN(3) {
		e := metav1.ManagedFieldsEntry{
			Manager: m.text(), Operation: metav1.ManagedFieldsOperationType(m.one("Apply", "Update", m.text())), APIVersion: m.text(),
			Time: maybe(m.draw, m.instant), FieldsType: m.text(), Subresource: m.text(),
		}
		if m.chance(80) {
			raw, err := json.Marshal(m.fields(2))
			if err != nil {
				panic(err) // strings and maps always encode
			}
			e.FieldsV1 = metav1.NewFieldsV1(string(raw))
		}
		meta.ManagedFields = append(meta.ManagedFields, e)
	}
	return meta
}

// kind is a kind on both sides: the real type and our schema.
type kind struct {
	name, apiVersion string
	ours             *wire.Type
	empty            func() runtime.Object
	random           func(m maker) runtime.Object
}

var kinds = []kind{
	{
		name: "Lease", apiVersion: "coordination.k8s.io/v1", ours: coordination.LeaseType,
		empty: func() runtime.Object { return &coordinationv1.Lease{} },
		random: func(m maker) runtime.Object {
			return &coordinationv1.Lease{ObjectMeta: m.meta(), Spec: coordinationv1.LeaseSpec{
				HolderIdentity: maybe(m.draw, m.text), LeaseDurationSeconds: maybe(m.draw, m.number), AcquireTime: maybe(m.draw, m.micro),
				RenewTime: maybe(m.draw, m.micro), LeaseTransitions: maybe(m.draw, m.number), PreferredHolder: maybe(m.draw, m.text),
				Strategy: maybe(m.draw, func() coordinationv1.CoordinatedLeaseStrategy {
					return coordinationv1.CoordinatedLeaseStrategy(m.text())
				}),
			}}
		},
	},
	{
		name: "LeaseCandidate", apiVersion: "coordination.k8s.io/v1beta1", ours: coordination.CandidateV1beta1Type,
		empty: func() runtime.Object { return &coordinationv1beta1.LeaseCandidate{} },
		random: func(m maker) runtime.Object {
			return &coordinationv1beta1.LeaseCandidate{ObjectMeta: m.meta(), Spec: coordinationv1beta1.LeaseCandidateSpec(m.candidate())}
		},
	},
	{
		name: "LeaseCandidate", apiVersion: "coordination.k8s.io/v1alpha2", ours: coordination.CandidateV1alpha2Type,
		empty: func() runtime.Object { return &coordinationv1alpha2.LeaseCandidate{} },
		random: func(m maker) runtime.Object {
			return &coordinationv1alpha2.LeaseCandidate{ObjectMeta: m.meta(), Spec: m.candidate()}
		},
	},
}

func (m maker) candidate() coordinationv1alpha2.LeaseCandidateSpec {
	return coordinationv1alpha2.LeaseCandidateSpec{
		LeaseName: m.text(), PingTime: maybe(m.draw, m.micro), RenewTime: maybe(m.draw, m.micro), BinaryVersion: m.text(), EmulationVersion: m.text(),
		Strategy: coordinationv1.CoordinatedLeaseStrategy(m.text()),
	}
}

// make returns a random object with its kind.
func (k kind) make(m maker) runtime.Object {
	o := k.random(m)
	o.GetObjectKind().SetGroupVersionKind(schema.FromAPIVersionAndKind(k.apiVersion, k.name))
	return o
}

func (k kind) String() string { return fmt.Sprint(k.apiVersion, " ", k.name) }
