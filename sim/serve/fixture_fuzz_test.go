package serve

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/sim/testsupport/bounded"
)

// FuzzFixture splits any file as a fixture and loads it. Each object is JSON, and is stored or refused with a sentence.
func FuzzFixture(f *testing.F) {
	const lease = "apiVersion: coordination.k8s.io/v1\nkind: Lease\nmetadata: {name: a, namespace: ns-keep}\nspec: {holderIdentity: p}\n"
	for _, seed := range []string{
		lease, lease + "---\n" + lease, "---\n---\n# nothing\n", `[{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"n"}},null,[],1]`,
		"kind: List\napiVersion: v1\nitems:\n- {apiVersion: v1, kind: Namespace, metadata: {name: n}}\n- {}\n", `{"items":[{"items":[]}]}`, "a: &a [*a]\n", "&a a: *a", "? [x]: y", "!!binary x", "%YAML 1.1\n---\n- 1\n...\n",
		"a: 1\na: 2\n", "\t", "\xff\xfe", "x: !!float .nan\n", "a: &a {k: v}\nb:\n  <<: *a\n",
		bounded.Chain + "---\napiVersion: v1\nkind: Namespace\nmetadata: {name: n" + bounded.Index + "}\n" + bounded.End,
		"items:\n" + bounded.Chain + "- {apiVersion: v1, kind: Namespace, metadata: {name: n" + bounded.Index + "}}\n" + bounded.End,
		"b0: &b0 [x]\n" + bounded.Chain + "a" + bounded.Index + ": [*b0, *b0]\n" + bounded.End, bounded.Chain + "[" + bounded.End, bounded.Chain + "- " + bounded.End,
		bounded.Chain + "{a: " + bounded.End + "1" + bounded.Chain + "}" + bounded.End,
	} {
		f.Add([]byte(seed))
	}
	cost := bounded.Limit{Fixed: 8 << 20, PerByte: 1000}
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, data []byte) {
		if bounded.Repeats(string(data)) && !testing.Short() {
			bounded.Growth(t, 32, 256, func(n int) func() {
				large := []byte(bounded.Repeat(string(data), n))
				return func() { _, _ = splitObjects(large) }
			})
		}
		data = []byte(bounded.Repeat(string(data), 3))
		cost.Do(t, len(data), func() {
			objects, err := splitObjects(data)
			if err != nil {
				require.NotEmpty(t, err.Error())
				return
			}
			server := apiserver.New(apiserver.Config{Seed: 1})
			require.NoError(t, Prepare(server, now, ""))
			for _, object := range objects {
				require.True(t, json.Valid(object), "%s", object)
				if err := server.Load(now, object); err != nil {
					require.NotEmpty(t, err.Error())
				}
			}
		})
	})
}
