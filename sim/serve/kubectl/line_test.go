package kubectl

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Words part at spaces and stay together in quotes.
func TestSplit(t *testing.T) {
	for text, want := range map[string][]string{
		"  get   leases ":   {"get", "leases"},
		`-p '{"a": "b c"}'`: {"-p", `{"a": "b c"}`},
		`-p "{\"a\": 1}"`:   {"-p", `{"a": 1}`},
		`a"b c"'d e'f`:      {"ab cd ef"},
		`one\ word "" ''`:   {"one word", "", ""},
		`'it'\''s' ü\ö`:     {"it's", "üö"},
		"":                  nil,
	} {
		got, err := split(text)
		require.NoError(t, err)
		assert.Equal(t, want, got, text)
	}
	_, err := split(`-p '{"a": 1}`)
	assert.EqualError(t, err, `The quote before “{"a": 1}” is not closed. End it with another '.`)
}

// A line is read as kubectl reads it, or a sentence says what there is.
func TestParse(t *testing.T) {
	for _, one := range []struct{ line, verb, args, flags string }{
		{"get leases", "get", "leases", `{}`},
		{"$ kubectl get leases", "get", "leases", `{}`},
		{"k get leases -w", "get", "leases", `{"watch":"true"}`},
		{"get -n prod leases demo", "get", "leases demo", `{"namespace":"prod"}`},
		{"get leases -nprod", "get", "leases", `{"namespace":"prod"}`},
		{"get leases -n=prod", "get", "leases", `{"namespace":"prod"}`},
		{"get leases --namespace=prod", "get", "leases", `{"namespace":"prod"}`},
		{"get leases --namespace prod", "get", "leases", `{"namespace":"prod"}`},
		{"get leases -wAo yaml", "get", "leases", `{"watch":"true","all-namespaces":"true","output":"yaml"}`},
		{"get leases -oyaml", "get", "leases", `{"output":"yaml"}`},
		{"get leases -o jsonpath={.a}", "get", "leases", `{"output":"jsonpath={.a}"}`},
		{"get leases --watch=false", "get", "leases", `{"watch":"false"}`},
		{"get leases -lapp=web", "get", "leases", `{"selector":"app=web"}`},
		{"patch lease demo --type merge -p '{}'", "patch", "lease demo", `{"type":"merge","patch":"{}"}`},
		{"create -f", "create", "", `{"filename":"true"}`},
		{"create -f -", "create", "", `{"filename":"true"}`},
		{"create -f lease", "create", "lease", `{"filename":"true"}`},
		{"create -f=lease.yaml", "create", "", `{"filename":"lease.yaml"}`},
		{"annotate lease demo a-", "annotate", "lease demo a-", `{}`},
		{"get -- -x", "get", "-x", `{}`},
		{"get -h", "help", "get", `{}`},
		{"--help", "help", "", `{}`},
	} {
		l, err := parse(one.line)
		require.NoError(t, err, one.line)
		flags := map[string]string{}
		require.NoError(t, json.Unmarshal([]byte(one.flags), &flags))
		args, err := split(one.args)
		require.NoError(t, err)
		assert.Equal(t, line{findVerbOf(t, one.verb), args, flags}, *l, one.line)
	}
	for text, sentence := range map[string]string{
		"":                          "Type a command, such as “get leases”. “help” lists them all.",
		"logs x":                    "There is no “logs” here. There are get, describe, create, apply, replace, edit, patch, delete, annotate, label, api-resources, api-versions, explain, version and help.",
		"get --wtch":                "get has no flag --wtch. It takes -n, -A, -w, -o, -l, --field-selector, --show-managed-fields, --no-headers and --raw.",
		"get -wx":                   "get has no flag -x. It takes -n, -A, -w, -o, -l, --field-selector, --show-managed-fields, --no-headers and --raw.",
		"version -o yaml":           "version takes no flags; “-o” is one.",
		"get -o":                    "-o needs a value, as in -o json.",
		"get -n --watch":            "-n needs a value, as in -n default.",
		"get -o xml":                "-o is json, yaml, name, wide or jsonpath here, not “xml”.",
		"delete lease x -o yaml":    "-o is name here, not “yaml”.",
		"get leases -o yaml=x":      "-o is json, yaml, name, wide or jsonpath here, not “yaml=x”.",
		"delete x --dry-run=client": "--dry-run is server or none here, not “client”.",
		"get --watch=maybe":         "--watch is on or off: write --watch or --watch=false, not “maybe”.",
	} {
		_, err := parse(text)
		assert.EqualError(t, err, sentence)
	}
}

func findVerbOf(t testing.TB, name string) *verb {
	v, err := findVerb(name)
	require.NoError(t, err)
	return v
}

// A path says what it names, and is written the same again.
func TestTargets(t *testing.T) {
	for _, k := range kinds {
		for _, name := range []string{"", "a b/c"} {
			at := place{kind: k, name: name}
			if k.namespaced {
				at.namespace = "x"
			}
			read, query, ok := readTarget(at.target("q", "1 & 2"))
			assert.True(t, ok)
			assert.Equal(t, at, read)
			assert.Equal(t, "1 & 2", value(query, "q"))
		}
	}
	for _, other := range []string{"/version", "/apis", "/apis/apps/v1/deployments", "/api/v1/namespaces/x/pods", ""} {
		_, _, ok := readTarget(other)
		assert.False(t, ok, other)
	}
	for word, version := range map[string]string{"leasecandidates.v1alpha2.coordination.k8s.io": "v1alpha2", "Lease.coordination.k8s.io": "v1", "ns": "v1"} {
		k, found := findKind(word)
		assert.True(t, found)
		assert.Equal(t, version, k.version)
	}
	_, found := findKind("leases.apps")
	assert.False(t, found)
}

// JSONPath as kubectl prints it.
func TestJSONPath(t *testing.T) {
	o := object(`{"kind":"List","items":[{"m":{"name":"a","n":1,"x.y":"dot"}},{"m":{"name":"b","n":2}},{"m":{"name":"c"}}]}`)
	for template, want := range map[string]string{
		"{.kind}":                               "List",
		"plain":                                 "plain",
		"{.none}|{.none.more}":                  "|",
		"{.items[*].m.name}":                    "a b c",
		"{.items[0].m}":                         `{"n":1,"name":"a","x.y":"dot"}`,
		`{.items[0].m.x\.y} {.items[0].m['n']}`: "dot 1",
		`{range .items[*]}{.m.name}{"\t"}{.m.n}{"\n"}{end}!`:           "a\t1\nb\t2\nc\t\n!",
		`{range .none[*]}{.m.name}{end}!`:                              "!",
		`{.items[?(@.m.name=="b")].m.n}`:                               "2",
		`{.items[?(@.m.name!='b')].m.name}`:                            "a c",
		`{.items[?(@.m.n)].m.name}`:                                    "a b",
		"{.items[-1].m.name} {.items[1:].m.name} {.items[-1:].m.name}": "c b c c",
		"{..name} {$.kind} {@.kind}":                                   "a b c List List",
	} {
		got, err := jsonPath(template, o)
		require.NoError(t, err, template)
		assert.Equal(t, want, got, template)
	}
	for template, fault := range map[string]string{
		"{.items[0":         "unclosed action",
		"{.items[x]}":       "invalid array index x",
		"{.kind[0]}":        "List is not array or slice",
		"{.items[5]}":       "array index out of bounds: index 5, length 3",
		"{kind}":            "unrecognized identifier kind",
		"{range .items[*]}": "unterminated range",
		"{end}":             "nothing to end",
	} {
		_, err := jsonPath(template, o)
		assert.ErrorContains(t, err, fault)
	}
}
