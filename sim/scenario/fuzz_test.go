package scenario_test

import (
	"testing"

	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
	"github.com/leaselab/leaselab/sim/testsupport/bounded"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Any bytes are refused with a sentence, or are a scenario whose canonical form means the same.
func FuzzDecode(f *testing.F) {
	for _, s := range shipped.List() {
		f.Add(scenario.Encode(s))
	}
	f.Add([]byte(`{"apiVersion":"leaselab.dev/v1alpha1","kind":"Scenario","seed":1,"duration":"1m","actions":[
		{"at":"0s","act":"add","candidate":{"name":"a","replicas":3,"clock":{"offset":"-1h","ratePpm":600000},"jitterDraws":[0,1e-7,0.5],"restart":"new"}},
		{"at":"1s","act":"write","op":"patch","spec":{"holderIdentity":"","leaseDurationSeconds":-1,"renewTime":"-1h"},"clear":["strategy"]},
		{"at":"2s","act":"set","target":"*","elector":{"leaseDuration":"20s","coordinated":true},"network":{"requestLatency":"0s"}},
		{"at":"3s","act":"fail","target":"holder","error":"http429","verb":"get","count":3,"for":"5s"}],"expect":[{"leader":"nobody","changes":0}]}`))
	f.Add([]byte(`{"apiVersion":"leaselab.dev/v1alpha1","kind":"Scenario","seed":1,"seed":2}`))
	f.Add([]byte(`{"apiVersion":"leaselab.dev/v1alpha1","kind":"Scenario","duration":"1m","preset":"controller-runtime","candidates":[{"name":"a","preset":"client-go"}],"actions":[
		{"at":"5s","act":"fail","target":"a","error":"http500","probability":0.5},{"at":"6s","act":"crash","target":"a","for":"2s"},{"at":"9s","act":"stop","target":"a","grace":"3s"},
		{"at":"20s","act":"rollingUpdate","every":"1s","grace":"2s"},{"at":"30s","act":"rollingUpdate"}]}`))
	f.Add([]byte("[[[[{\n\n"))
	for _, seed := range grown {
		f.Add([]byte(seed))
	}
	cost := bounded.Limit{Fixed: 4 << 20, PerByte: 300}
	f.Fuzz(func(t *testing.T, data []byte) {
		if bounded.Repeats(string(data)) && !testing.Short() {
			bounded.Growth(t, 128, 1024, func(n int) func() {
				large := []byte(bounded.Repeat(string(data), n))
				return func() { _, _ = scenario.Decode(large) }
			})
		}
		data = []byte(bounded.Repeat(string(data), 3))
		cost.Do(t, len(data), func() { decodeTwice(t, data) })
	})
}

// grown have parts for bounded.Repeat.
var grown = []string{
	head + `,"candidates":[` + bounded.List + `{"name":"a` + bounded.Index + `"}` + bounded.End + `]}`,
	head + `,"candidates":[` + bounded.List + `{"name":"A` + bounded.Index + `"}` + bounded.End + `]}`,
	head + `,"candidates":[{"name":"a"}],"actions":[` + bounded.List + `{"at":"` + bounded.Index + `s","act":"crash","target":"a"}` + bounded.End + `]}`,
	head + `,"candidates":[{"name":"a"}],"actions":[` + bounded.List + `{"at":"1s","act":"add","candidate":{"name":"b` + bounded.Index + `"}}` + bounded.End + `]}`,
	head + `,"candidates":[` + bounded.List + `{"name":"a` + bounded.Index + `"}` + bounded.End + `],"actions":[` + bounded.List + `{"at":"1s","act":"crash","target":"a` + bounded.Index + `"}` + bounded.End + `]}`,
	head + `,"candidates":[{"name":"a"}],"actions":[` + bounded.List + `{"at":"` + bounded.Index + `s","act":"rollingUpdate","every":"1ns"}` + bounded.End + `]}`,
	head + `,"candidates":[` + bounded.List + `{"name":"a` + bounded.Index + `"}` + bounded.End + `],"actions":[` + bounded.List + `{"at":"1s","act":"remove","target":"a` + bounded.Index + `"}` + bounded.End + `,{"at":"2s","act":"rollingUpdate"}]}`,
	head + `,"candidates":[{"name":"a"}],"expect":[` + bounded.List + `{"leader":"a","at":"` + bounded.Index + `s"}` + bounded.End + `]}`,
	head + `,"candidates":[{"name":"a","jitterDraws":[` + bounded.List + `0.5` + bounded.End + `]}]}`,
	head + `,` + bounded.List + `"u` + bounded.Index + `":1` + bounded.End + `}`,
	head + `,"candidates":` + bounded.Chain + `[` + bounded.End + bounded.Chain + `]` + bounded.End + `}`,
	head + `,"candidates":` + bounded.Chain + `{"a":` + bounded.End + `1` + bounded.Chain + `}` + bounded.End + `}`,
}

const head = `{"apiVersion":"leaselab.dev/v1alpha1","kind":"Scenario","seed":1,"duration":"1h"`

func decodeTwice(t *testing.T, data []byte) {
	s, err := scenario.Decode(data)
	if err != nil {
		var e *scenario.FieldError
		require.ErrorAs(t, err, &e)
		assert.NotEmpty(t, e.Message)
		return
	}
	canonical := scenario.Encode(s)
	again, err := scenario.Decode(canonical)
	require.NoError(t, err, "%s", canonical)
	assert.Equal(t, s, again)
	assert.Equal(t, string(canonical), string(scenario.Encode(again)))
	resolved := scenario.Resolve(s)
	assert.LessOrEqual(t, len(resolved.Candidates), scenario.MaxCandidates)
}
