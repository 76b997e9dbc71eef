package types

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	appsv1 "k8s.io/api/apps/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	certificatesv1 "k8s.io/api/certificates/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	coordinationv1alpha2 "k8s.io/api/coordination/v1alpha2"
	coordinationv1beta1 "k8s.io/api/coordination/v1beta1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	eventsv1 "k8s.io/api/events/v1"
	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	networkingv1 "k8s.io/api/networking/v1"
	nodev1 "k8s.io/api/node/v1"
	policyv1 "k8s.io/api/policy/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	resourcev1 "k8s.io/api/resource/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	storagev1 "k8s.io/api/storage/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/apimachinery/pkg/util/intstr"
	apiregistrationv1 "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
	"sigs.k8s.io/randfill"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/core/wire"
	"github.com/leaselab/leaselab/sim/serve/incoming"
	servedkinds "github.com/leaselab/leaselab/sim/serve/kinds"
)

// update writes the tables that these tests compare with upstream.
var update = flag.Bool("update", false, "write the tables of kinds and of protobuf messages")

// stable registers the types of every kind that the command serves.
var stable = func() *runtime.Scheme {
	s := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		admissionregistrationv1.AddToScheme, apiextensionsv1.AddToScheme, apiregistrationv1.AddToScheme, appsv1.AddToScheme,
		authenticationv1.AddToScheme, authorizationv1.AddToScheme, autoscalingv1.AddToScheme, autoscalingv2.AddToScheme, batchv1.AddToScheme,
		certificatesv1.AddToScheme, coordinationv1.AddToScheme, coordinationv1alpha2.AddToScheme, coordinationv1beta1.AddToScheme, corev1.AddToScheme,
		discoveryv1.AddToScheme, eventsv1.AddToScheme, flowcontrolv1.AddToScheme, networkingv1.AddToScheme, nodev1.AddToScheme, policyv1.AddToScheme,
		rbacv1.AddToScheme, resourcev1.AddToScheme, schedulingv1.AddToScheme, storagev1.AddToScheme,
	} {
		if err := add(s); err != nil {
			panic(err)
		}
	}
	return s
}()

// compareTable compares a table with what upstream says, or writes it.
func compareTable(t *testing.T, path, want string) {
	t.Helper()
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(want), 0o644))
	}
	have, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, want, string(have), "go test ./... -run 'KindsAre|MessagesAre' -update writes %s", path)
}

// sentKinds lists the kinds whose objects clients send, as apiVersion and type.
func sentKinds() (kinds []string, types map[string]reflect.Type) {
	types = map[string]reflect.Type{"v1 DeleteOptions": reflect.TypeOf(metav1.DeleteOptions{})}
	for gvk, typ := range stable.AllKnownTypes() {
		if strings.HasPrefix(typ.PkgPath(), "k8s.io/apimachinery") || strings.HasSuffix(gvk.Kind, "List") || strings.HasSuffix(gvk.Kind, "Options") {
			continue
		}
		types[gvk.GroupVersion().String()+" "+gvk.Kind] = typ
	}
	for kind := range types {
		kinds = append(kinds, kind)
	}
	slices.Sort(kinds)
	return kinds, types
}

// whole are the types that the decoder knows, with their letters.
var whole = map[reflect.Type]string{
	reflect.TypeOf(metav1.Time{}): "t", reflect.TypeOf(metav1.MicroTime{}): "u", reflect.TypeOf(metav1.Duration{}): "d",
	reflect.TypeOf(resource.Quantity{}): "q", reflect.TypeOf(intstr.IntOrString{}): "o", reflect.TypeOf(metav1.FieldsV1{}): "r",
	reflect.TypeOf(runtime.RawExtension{}): "r", reflect.TypeOf([]byte(nil)): "f", reflect.TypeOf(apiextensionsv1.JSON{}): "r",
}

// messages makes the table of messages.
type messages struct {
	names map[reflect.Type]string
	taken map[string]bool
	lines []string
}

// name returns the name of a message, and writes its line when it comes first.
func (m *messages) name(t reflect.Type) string {
	if name := m.names[t]; name != "" {
		return name
	}
	name := t.Name()
	for m.taken[name] {
		name += "_"
	}
	m.names[t], m.taken[name] = name, true
	at := len(m.lines)
	m.lines = append(m.lines, "")
	m.lines[at] = name + m.fields(t)
	return name
}

func (m *messages) fields(t reflect.Type) string {
	var line strings.Builder
	if t == reflect.TypeOf(apiextensionsv1.CustomResourceValidation{}) { // the server keeps no schemas
		return ""
	}
	for i := range t.NumField() {
		f := t.Field(i)
		tag := strings.Split(f.Tag.Get("protobuf"), ",")
		if len(tag) < 2 {
			continue
		}
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		typ, keeps := f.Type, !strings.Contains(options, "omitempty")
		shape := ""
		if typ.Kind() == reflect.Pointer {
			typ, keeps = typ.Elem(), true
		}
		switch {
		case whole[typ] != "":
		case typ.Kind() == reflect.Map:
			shape, typ = "@", typ.Elem()
		case typ.Kind() == reflect.Slice && (typ.Name() == "" || strings.Contains(tag[0], "bytes") && tag[2] == "rep"):
			shape, typ = "*", typ.Elem()
		}
		if strings.Contains(options, "inline") {
			name, shape = "", "^"
		}
		shape += m.shape(typ)
		if keeps && !strings.ContainsAny(shape, "*@^") {
			shape += "!"
		}
		fmt.Fprintf(&line, " %s:%s:%s", name, tag[1], shape)
	}
	return line.String()
}

// shape returns the letter of a scalar, or the name of a message.
func (m *messages) shape(t reflect.Type) string {
	if whole[t] != "" {
		return whole[t]
	}
	switch t.Kind() {
	case reflect.String:
		return "s"
	case reflect.Bool:
		return "b"
	case reflect.Int32, reflect.Int64, reflect.Uint32, reflect.Uint64:
		return "i"
	case reflect.Slice: // such as ExtraValue: a message around a list of strings
		return "l"
	case reflect.Struct:
		return m.name(t)
	}
	panic("no shape for " + t.String())
}

// The table of protobuf messages is what the tags of upstream's types say.
func TestMessagesAreUpstreams(t *testing.T) {
	m := &messages{names: map[reflect.Type]string{}, taken: map[string]bool{}}
	kinds, types := sentKinds()
	var head []string
	for _, kind := range kinds {
		head = append(head, "="+kind+" "+m.name(types[kind]))
	}
	compareTable(t, "../../serve/incoming/messages.txt", strings.Join(append(head, m.lines...), "\n")+"\n")
}

// Random objects of every kind, in protobuf, decode to the JSON that the types have.
func TestEveryKindInProtobuf(t *testing.T) {
	serializer := protobuf.NewSerializer(stable, stable)
	kinds, types := sentKinds()
	fill := randfill.NewWithSeed(1).NilChance(0.3).NumElements(1, 2).MaxDepth(12).Funcs(
		func(q *resource.Quantity, c randfill.Continue) {
			*q = resource.MustParse(fmt.Sprintf("%dm", c.Intn(5000)))
		},
		func(o *intstr.IntOrString, c randfill.Continue) {
			*o = intstr.FromInt32(c.Int31())
			if c.Bool() {
				*o = intstr.FromString("5%")
			}
		},
		func(at *metav1.Time, c randfill.Continue) { *at = metav1.Unix(c.Int63n(1<<31), 0) },
		func(at *metav1.MicroTime, c randfill.Continue) {
			*at = metav1.NewMicroTime(metav1.Unix(c.Int63n(1<<31), 1000).Time)
		},
		func(r *metav1.FieldsV1, _ randfill.Continue) { r.SetRawString(`{"f:spec":{}}`) },
		func(r *runtime.RawExtension, _ randfill.Continue) { r.Raw = []byte(`{"a":1}`) },
		func(r *apiextensionsv1.CustomResourceValidation, _ randfill.Continue) {},
		func(*metav1.TypeMeta, randfill.Continue) {}, // protobuf has none inside an object
		func(l *authenticationv1.ExtraValue, _ randfill.Continue) { *l = []string{"s"} },
		func(l *authorizationv1.ExtraValue, _ randfill.Continue) { *l = []string{"s"} },
		func(l *certificatesv1.ExtraValue, _ randfill.Continue) { *l = []string{"s"} },
		func(b *[]byte, _ randfill.Continue) { *b = []byte("bytes") },
		func(s *string, c randfill.Continue) { *s = fmt.Sprint("s", c.Intn(9)) },
	)
	for _, kind := range kinds {
		apiVersion, name, _ := strings.Cut(kind, " ")
		if name == "DeleteOptions" {
			continue
		}
		t.Run(kind, func(t *testing.T) {
			for range 20 {
				o := reflect.New(types[kind]).Interface().(runtime.Object)
				fill.Fill(o)
				reflect.ValueOf(o).Elem().FieldByName("TypeMeta").Set(reflect.ValueOf(metav1.TypeMeta{APIVersion: apiVersion, Kind: name}))
				var body bytes.Buffer
				require.NoError(t, serializer.Encode(o, &body))
				got, err := incoming.FromProtobuf(body.Bytes())
				require.NoError(t, err)
				back := reflect.New(types[kind]).Interface()
				require.NoError(t, json.Unmarshal(wire.Encode(nil, got, nil), back))
				want, err := json.Marshal(o)
				require.NoError(t, err)
				have, err := json.Marshal(back)
				require.NoError(t, err)
				if at := firstDifference(want, have); at >= 0 {
					t.Fatalf("…%.80s, not …%.80s", have[max(0, at-20):], want[max(0, at-20):])
				}
			}
		})
	}
}

// firstDifference returns the first byte that differs, or -1.
func firstDifference(a, b []byte) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i
		}
	}
	if len(a) != len(b) {
		return min(len(a), len(b))
	}
	return -1
}

// upstreams returns the folder of the documents of discovery in the module of kube-apiserver.
func upstreams(t *testing.T) string {
	t.Helper()
	c := exec.Command("go", "mod", "download", "-json", "k8s.io/kubernetes@v1.36.2")
	c.Dir, c.Env = t.TempDir(), append(os.Environ(), "GOFLAGS=-mod=mod")
	out, err := c.Output()
	var module struct{ Dir string }
	if err != nil || json.Unmarshal(out, &module) != nil {
		fmt.Printf("not run: %s: the module of kube-apiserver cannot be fetched: %v\n", t.Name(), err)
		t.Skip(err)
	}
	return filepath.Join(module.Dir, "api", "discovery")
}

// listedResource is a resource in a document of discovery.
type listedResource struct {
	Name, SingularName, Kind, StorageVersionHash string
	Namespaced                                   bool
	Verbs, ShortNames, Categories                []string
}

// The table of kinds is what kube-apiserver's discovery says about its stable versions.
func TestKindsAreUpstreams(t *testing.T) {
	dir := upstreams(t)
	read := func(name string, into any) {
		data, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(data, into))
	}
	var groups struct {
		Items []struct {
			Metadata struct{ Name string }
			Versions []struct{ Version string }
		}
	}
	read("aggregated_v2.json", &groups)
	var table strings.Builder
	dash := func(words []string) string {
		if len(words) == 0 {
			return "-"
		}
		return strings.Join(words, ",")
	}
	add := func(group, document string, versions []string) {
		var list struct{ Resources []listedResource }
		read(document, &list)
		for _, r := range list.Resources {
			scope := map[bool]string{true: "namespaced", false: "cluster"}[r.Namespaced]
			if group != "-" && len(r.Verbs) == 1 {
				scope = "created"
			} else if len(r.Verbs) < 7 || strings.Contains(r.Name, "/") {
				continue
			}
			var below []string
			for _, sub := range list.Resources {
				if name, is := strings.CutPrefix(sub.Name, r.Name+"/"); is && (name == "status" || name == "scale") {
					below = append(below, name)
				}
			}
			require.Equal(t, strings.ToLower(r.Kind), r.SingularName)
			fmt.Fprintln(&table, group, dash(versions), r.Name, r.Kind, scope, dash(below), dash(r.ShortNames), dash(r.Categories),
				dash(strings.Fields(r.StorageVersionHash)))
		}
	}
	add("-", "api__v1.json", []string{"v1"})
	for _, g := range groups.Items {
		var versions []string
		for _, v := range g.Versions {
			if regexp.MustCompile(`^v\d+$`).MatchString(v.Version) {
				versions = append(versions, v.Version)
			}
		}
		if len(versions) > 0 {
			add(g.Metadata.Name, "apis__"+g.Metadata.Name+"__"+versions[0]+".json", versions)
		}
	}
	compareTable(t, "../../serve/kinds/kinds.txt", table.String())
}

// byName returns the items of a list by a member. It leaves out the items that keep refuses.
func byName(list []any, member string, keep func(name string) bool) map[string]any {
	named := map[string]any{}
	for _, item := range list {
		if name := item.(map[string]any)[member].(string); keep(name) {
			named[name] = item
		}
	}
	return named
}

// What the server lists of a kind is what kube-apiserver lists: in the documents of each version, and in the aggregated one.
func TestDiscoveryIsUpstreams(t *testing.T) {
	dir := upstreams(t)
	server := apiserver.New(apiserver.Config{Kinds: servedkinds.BuiltIn(), Core: true, Coordinated: true})
	ask := func(path, accept string) map[string]any {
		answer := server.Handle(time.Unix(0, 0), &apiserver.Request{Method: "GET", Path: path, Header: map[string]string{"accept": accept}})
		require.Equal(t, 200, answer.Status, path)
		var document map[string]any
		require.NoError(t, json.Unmarshal(answer.Body, &document))
		return document
	}
	// Subresources that the server does not have. Its schema of namespaces has a status without a path.
	other := regexp.MustCompile(`/(approval|attach|binding|ephemeralcontainers|eviction|exec|finalize|log|portforward|proxy|resize|token)$|^namespaces/`)
	all := func(string) bool { return true }
	compared := 0
	for _, file := range []string{"api__v1.json", "apis__apps__v1.json", "apis__apiextensions.k8s.io__v1.json", "apis__autoscaling__v2.json", "apis__autoscaling__v1.json",
		"apis__batch__v1.json", "apis__certificates.k8s.io__v1.json", "apis__coordination.k8s.io__v1.json", "apis__events.k8s.io__v1.json", "apis__networking.k8s.io__v1.json",
		"apis__policy__v1.json", "apis__rbac.authorization.k8s.io__v1.json", "apis__storage.k8s.io__v1.json"} {
		data, err := os.ReadFile(filepath.Join(dir, file))
		require.NoError(t, err)
		var want map[string]any
		require.NoError(t, json.Unmarshal(data, &want))
		path := "/" + strings.ReplaceAll(strings.TrimSuffix(file, ".json"), "__", "/")
		have := byName(ask(path, "application/json")["resources"].([]any), "name", all)
		for name, one := range byName(want["resources"].([]any), "name", func(name string) bool {
			return !other.MatchString(name) && name != "bindings" && name != "componentstatuses"
		}) {
			require.Equal(t, one, have[name], "%s %s", path, name)
			compared++
		}
	}
	require.Greater(t, compared, 60)

	data, err := os.ReadFile(filepath.Join(dir, "aggregated_v2.json"))
	require.NoError(t, err)
	var want map[string]any
	require.NoError(t, json.Unmarshal(data, &want))
	groups := map[string][]any{}
	for _, g := range ask("/apis", "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList")["items"].([]any) {
		groups[g.(map[string]any)["metadata"].(map[string]any)["name"].(string)] = g.(map[string]any)["versions"].([]any)
	}
	for _, group := range []string{"apps", "batch", "apiextensions.k8s.io", "storage.k8s.io"} {
		for _, g := range want["items"].([]any) {
			if g := g.(map[string]any); g["metadata"].(map[string]any)["name"] == group {
				require.Equal(t, g["versions"].([]any)[0], groups[group][0])
			}
		}
	}
}
