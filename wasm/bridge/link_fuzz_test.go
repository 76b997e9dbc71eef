package bridge

import (
	"encoding/json"
	"testing"

	"github.com/benbjohnson/clock"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/testsupport/bounded"
)

// quick returns a bridge with a given shelf, so that it need not decode the shipped scenarios again.
func quick(shelf *shelf) *Bridge {
	b := New(clock.NewMock(), nil)
	b.shelf = shelf
	b.lab.FindBy(shelf.find)
	return b
}

// FuzzLink opens any link. The result is an error, and the session stays, or a run that can be drawn, walked, stopped
// and shared; its own link opens the same run.
func FuzzLink(f *testing.F) {
	for _, seed := range linkSeeds(f) {
		f.Add([]byte(seed))
	}
	shelf := greet(f).shelf
	cost := bounded.Limit{Fixed: 96 << 20, PerByte: 2000}
	f.Fuzz(func(t *testing.T, params []byte) {
		params = []byte(bounded.Repeat(string(params), 40))
		cost.Do(t, len(params), func() {
			b := quick(shelf)
			send := func(op, params string) answer {
				a := read(t, b.Handle([]byte(`{"op":"`+op+`","params":`+params+`}`)))
				if a.Error != nil {
					require.NotEqual(t, "panic", a.Error.Code, "%s: %s\n%s", op, a.Error.Message, a.Error.Stack)
					require.NotEmpty(t, a.Error.Message)
				}
				return a
			}
			if !json.Valid(params) {
				return
			}
			if a := send("open", string(params)); !a.OK {
				require.Equal(t, errNothingOpen.Error(), send("save", "null").Error.Message)
				return
			}
			for range 3 {
				send("goOn", "null")
			}
			send("pause", "null")
			for _, one := range [][2]string{
				{"timeline", `{"from":0,"to":60000000000,"widthPx":300}`}, {"events", `{"count":5}`}, {"object", `{}`},
				{"step", `{"direction":1,"unit":"event"}`}, {"checks", `{}`}, {"undo", "null"},
			} {
				send(one[0], one[1])
			}
			shared := send("share", `{"whole":true}`)
			require.True(t, shared.OK)
			var link map[string]json.RawMessage
			require.NoError(t, json.Unmarshal(shared.Result, &link))
			again := quick(shelf)
			link["cursor"], link["live"] = json.RawMessage(`{"t":0,"n":-1}`), json.RawMessage(`{"t":0,"n":-1}`)
			delete(link, "hash")
			require.True(t, ask(t, again, "open", link).OK, "%s", shared.Result)
			require.Equal(t, string(send("save", "null").Result), string(ask(t, again, "save", nil).Result))
		})
	})
}

// linkSeeds returns contents of links, and some that no link has.
func linkSeeds(f *testing.F) []string {
	b := openBridge(f)
	all := []string{string(ask(f, b, "share", map[string]any{"whole": true}).Result)}
	require.True(f, ask(f, b, "act", map[string]any{"act": "crash", "node": "b"}).OK)
	require.True(f, ask(f, b, "edit", map[string]any{"path": "elector.leaseDuration", "value": "20s",
		"mode": "rerun"}).OK)
	require.True(f, ask(f, b, "breakpoints",
		map[string]any{"breakpoints": []protocol.Breakpoint{{Text: "violation"}}}).OK)
	all = append(all, string(ask(f, b, "share", map[string]any{"whole": true}).Result))
	const at, live = `"cursor":{"t":0,"n":-1}`, `"live":{"t":0,"n":-1}`
	return append(all,
		`{"scenario":"a-leader-dies","cursor":{"t":40000000000,"n":-1},"live":{"t":40000000000,"n":-1},"seed":7}`,
		`{"scenario":"a-leader-dies","patch":null,"actions":null,`+at+`,`+live+`}`,
		`{"scenario":"no-such"}`, `{"scenario":null}`, `{"scenario":{}}`,
		`{"scenario":"crash","patch":[{"path":"seed","value":"x"}]}`, `{"scenario":"crash","engine":9,"hash":"0000"}`,
		`{"scenario":{"apiVersion":"leaselab.dev/v1alpha1","kind":"Scenario","seed":1,"duration":"2160h","candidates":[{"name":"a","replicas":500}]},"live":{"t":7776000000000000,"n":-1}}`,
		`{"scenario":"crash","actions":[`+bounded.List+`{"at":"`+bounded.Index+`s","act":"crash","target":"a"}`+
			bounded.End+`]}`,
		`{"scenario":"crash","actions":[`+bounded.List+`{"at":"1s","act":"add","candidate":{"name":"n`+bounded.Index+
			`","replicas":20}}`+bounded.End+`]}`,
		`{"scenario":"crash","actions":[{"at":"1s","act":"request","target":"a","request":{"method":"PATCH","path":"leases/demo","contentType":"application/merge-patch+json","body":"`+
			bounded.Chain+`{\"a\":`+bounded.End+`1`+bounded.Chain+`}`+bounded.End+`"}}]}`,
		`{"scenario":"crash","breakpoints":[`+bounded.List+`{"text":"active = `+bounded.Index+`"}`+bounded.End+
			`],"live":{"t":60000000000,"n":3}}`,
		`{"scenario":"crash","patch":[`+bounded.List+`{"path":"seed","value":"`+bounded.Index+`"}`+bounded.End+`]}`,
		`{"scenario":"crash","seed":18446744073709551615}`,
		`{"scenario":"crash","cursor":{"t":-9223372036854775808,"n":-2147483648}}`,
	)
}
