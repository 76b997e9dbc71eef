package fieldmanager_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/core/apiserver/fieldmanager"
	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/wire"
	"github.com/leaselab/leaselab/sim/testsupport/bounded"
)

// FuzzWrites does a series of writes, one per line: u, a or f (update, apply, forced apply), a manager, an object. No
// write changes its arguments, the entries decode again, an identical apply changes nothing, and a manager that
// releases its fields leaves all others unchanged.
func FuzzWrites(f *testing.F) {
	const lease = `{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"x"`
	for _, seed := range []string{
		"u a " + lease + `},"spec":{"holderIdentity":"h"}}` + "\na b " + lease + `},"spec":{"leaseTransitions":1}}` + "\na b " + lease + `}}`,
		"a a " + lease + `,"labels":{"a":"1"}}}` + "\na b " + lease + `,"labels":{"a":"2"}}}` + "\nf b " + lease + `,"labels":{"a":"2"}}}`,
		"a a " + lease + `,"finalizers":["f/a","f/b"],"ownerReferences":[{"uid":"u","name":"n","kind":"k","apiVersion":"v"}]}}` + "\na b " + lease + `,"finalizers":["f/b","f/c"]}}` + "\na a " + lease + `}}`,
		"u a " + lease + `,"managedFields":[{}]}}` + "\nu b " + lease + `,"managedFields":[{"manager":"m","operation":"Apply","apiVersion":"coordination.k8s.io/v1","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{"f:x":{},".":{},"k:{\"a\":1}":{},"v:1e999":{},"i:-1":{}}}}]}}` + "\na m " + lease + `}}`,
		"a a null\na b {}\nu c {}", "f a " + lease + `,"annotations":null},"spec":{"renewTime":"x","leaseDurationSeconds":1.5,"u":[[]]}}`,
		"a a " + lease + `,"finalizers":[` + bounded.List + `"f/` + bounded.Index + `"` + bounded.End + `]}}` + "\nf b " + lease + `,"finalizers":["f/0"]}}`,
		"u a " + lease + `,"labels":{` + bounded.List + `"l` + bounded.Index + `":"v"` + bounded.End + `}}}` + "\na b " + lease + `,"labels":{"l1":"w"}}}` + "\nu c " + lease + `}}`,
		"a a " + lease + `,"ownerReferences":[` + bounded.List + `{"uid":"u` + bounded.Index + `","name":"n"}` + bounded.End + `]}}` + "\na a " + lease + `}}`,
		bounded.Chain + "u m" + bounded.Index + " " + lease + `},"spec":{"leaseTransitions":` + bounded.Index + `}}` + "\n" + bounded.End,
		"u a " + lease + `,"managedFields":[{"manager":"m","operation":"Update","apiVersion":"coordination.k8s.io/v1","fieldsType":"FieldsV1","fieldsV1":` + bounded.Chain + `{"f:a":` + bounded.End + `{}` + bounded.Chain + `}` + bounded.End + `}]}}` + "\na b " + lease + `}}`,
		"a a " + lease + `},"spec":` + bounded.Chain + `{"a":` + bounded.End + `1` + bounded.Chain + `}` + bounded.End + `}`,
	} {
		f.Add(seed)
	}
	cost := bounded.Limit{Fixed: 4 << 20, PerByte: 500}
	f.Fuzz(func(t *testing.T, series string) {
		if bounded.Repeats(series) && strings.Count(series, "\n") < 4 && !testing.Short() {
			bounded.Growth(t, 64, 512, func(n int) func() {
				large := bounded.Repeat(series, n)
				return func() { writes(t, large, false) }
			})
		}
		series = bounded.Repeat(series, 3)
		cost.Do(t, len(series), func() {
			require.Equal(t, writes(t, series, true), writes(t, series, false))
		})
	})
}

// writes does a series and returns the outcome of each write. With care it checks each write closely.
func writes(t *testing.T, series string, care bool) string {
	var all strings.Builder
	var live wire.Map
	for second, line := range strings.Split(series, "\n") {
		how, rest, _ := strings.Cut(line, " ")
		manager, document, _ := strings.Cut(rest, " ")
		w := by(manager, second%60)
		before := ""
		if care {
			before = encode(live)
		}
		made, err := write(w, how, live, document)
		if care {
			require.Equal(t, before, encode(live), "the live object was changed by %s", line)
		}
		if err != nil {
			all.WriteString(err.Error() + "\n")
			continue
		}
		if made == nil {
			continue // not an object
		}
		if care {
			settle(t, made)
			if how == "a" || how == "f" {
				again, err := write(w, "f", made, document)
				require.NoError(t, err, "%s, for the second time", line)
				require.Equal(t, encode(made), encode(again), "%s, for the second time", line)
			}
		}
		wire.Set(made, "the-uid", "metadata", "uid")
		live = made
		all.WriteString(encode(made))
	}
	return all.String()
}

func write(w fieldmanager.Write, how string, live wire.Map, document string) (wire.Map, error) {
	if how == "a" || how == "f" {
		var config wire.Map
		if json.Unmarshal([]byte(document), &config) != nil {
			return nil, nil
		}
		return w.Apply(withKind(live), config, how == "f")
	}
	n, err := wire.Parse([]byte(document))
	if err != nil {
		return nil, nil
	}
	o, _, err := wire.Decode(n, coordination.LeaseType)
	if err != nil {
		return nil, nil
	}
	delete(o, "kind")
	delete(o, "apiVersion")
	again, _ := wire.Copy(o).(wire.Map)
	updated := w.Update(live, o)
	w.Memo = &fieldmanager.Memo{}
	if remembered := encode(w.Update(live, again)); remembered != encode(updated) {
		panic(fmt.Sprintf("with a memo it is %s", remembered))
	}
	return updated, nil
}

// settle checks that the entries are in their stored form.
func settle(t *testing.T, made wire.Map) {
	o, _ := wire.Copy(made).(wire.Map)
	fieldmanager.Settle(o)
	require.Equal(t, encode(made), encode(o))
}
