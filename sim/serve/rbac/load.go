package rbac

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"slices"
	"strings"

	yamlv3 "go.yaml.in/yaml/v3"
	"sigs.k8s.io/yaml"

	"github.com/leaselab/leaselab/core/apiserver/validate"
)

const rbacGroup = "rbac.authorization.k8s.io"

// object is an object of any of the four kinds.
type object struct {
	APIVersion      string            `json:"apiVersion"`
	Kind            string            `json:"kind"`
	Metadata        metadata          `json:"metadata"`
	Rules           []Rule            `json:"rules"`
	AggregationRule json.RawMessage   `json:"aggregationRule"`
	RoleRef         roleRef           `json:"roleRef"`
	Subjects        []subject         `json:"subjects"`
	Items           []json.RawMessage `json:"items"`
}

// `shapes` has the names of the fields' types for errors.
var shapes = map[reflect.Kind]string{reflect.String: "string", reflect.Slice: "list", reflect.Struct: "map"}

// metadata is the part of an object's metadata that a policy needs. A file may have other fields there.
type metadata struct{ Name, Namespace string }

// UnmarshalJSON reads an object leniently, even inside a strict decoder.
func (m *metadata) UnmarshalJSON(data []byte) error {
	type fields metadata
	return json.Unmarshal(data, (*fields)(m))
}

// Load reads a policy from a file of Roles, ClusterRoles, RoleBindings and ClusterRoleBindings: YAML documents or JSON,
// including Lists as kubectl prints them. It adds them to the roles that every server has; the file "" adds none. An
// error names the object, the field and the fix.
func Load(path string) (*Policy, error) {
	p := Defaults()
	if path == "" {
		return p, nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("--rbac: %w; name a file that leaselab may read", err)
	}
	if err := p.read(data); err != nil {
		return nil, fmt.Errorf("--rbac %s: %w", path, err)
	}
	return p, nil
}

// read takes the documents of a policy file one by one. A binding may come before its role, so `read` checks the roles
// at the end.
func (p *Policy) read(data []byte) error {
	decoder := yamlv3.NewDecoder(bytes.NewReader(data))
	for i := 1; ; i++ {
		var node yamlv3.Node
		err := decoder.Decode(&node)
		if errors.Is(err, io.EOF) {
			break
		}
		var document []byte
		if err != nil {
			err = fmt.Errorf("%w; the file must contain YAML or JSON", err)
		}
		if err == nil {
			document, err = yamlv3.Marshal(&node)
		}
		if err == nil {
			document, err = yaml.YAMLToJSONStrict(document)
		}
		if err == nil {
			err = p.add(document)
		}
		if err != nil {
			return fmt.Errorf("document %d: %s", i, strings.Join(strings.Fields(err.Error()), " "))
		}
	}
	for _, b := range p.bindings {
		if p.find(b.ref, b.namespace) == nil {
			return fmt.Errorf("%s: roleRef names the %s %q, which the file does not have; %s", b.roleText(), b.ref.Kind,
				b.ref.Name, p.knownRoles(b))
		}
	}
	return nil
}

// add adds an object or the objects of a list.
func (p *Policy) add(document []byte) error {
	if bytes.Equal(bytes.TrimSpace(document), []byte("null")) {
		return nil
	}
	var o object
	strict := json.NewDecoder(bytes.NewReader(document))
	strict.DisallowUnknownFields() // a rule with misspelled resourceNames would allow too much
	if err := strict.Decode(&o); err != nil {
		if wrong := (*json.UnmarshalTypeError)(nil); errors.As(err, &wrong) {
			return fmt.Errorf(
				"%s %q: %s: a %s, where a %s belongs; in YAML write y, n, on, off and numbers in quotes if they are "+
					"text", o.Kind, o.Metadata.Name, strings.ToLower(wrong.Field[:1])+wrong.Field[1:], wrong.Value,
				shapes[wrong.Type.Kind()])
		}
		return fmt.Errorf("%s %q: %s; correct the field, or remove it", o.Kind, o.Metadata.Name,
			strings.TrimPrefix(err.Error(), "json: "))
	}
	if o.Kind == "List" || strings.HasSuffix(o.Kind, "RoleList") || strings.HasSuffix(o.Kind, "RoleBindingList") {
		for _, item := range o.Items {
			if err := p.add(item); err != nil {
				return err
			}
		}
		return nil
	}
	if o.APIVersion != rbacGroup+"/v1" ||
		!slices.Contains([]string{"Role", "ClusterRole", "RoleBinding", "ClusterRoleBinding"}, o.Kind) {
		return fmt.Errorf(
			"apiVersion %q, kind %q: the file must contain Roles, ClusterRoles, RoleBindings and ClusterRoleBindings "+
				"of %s/v1", o.APIVersion, o.Kind, rbacGroup)
	}
	if err := o.check(); err != nil {
		return fmt.Errorf("%s %q: %w", o.Kind, o.Metadata.Name, err)
	}
	namespace := o.Metadata.Namespace
	if strings.HasPrefix(o.Kind, "Cluster") {
		namespace = ""
	}
	if strings.HasSuffix(o.Kind, "Role") {
		p.roles = slices.DeleteFunc(p.roles,
			func(r role) bool { return r.namespace == namespace && r.name == o.Metadata.Name })
		p.roles = append(p.roles, role{namespace, o.Metadata.Name, o.Rules})
		return nil
	}
	p.bindings = slices.DeleteFunc(p.bindings,
		func(b binding) bool { return b.namespace == namespace && b.name == o.Metadata.Name })
	p.bindings = append(p.bindings, binding{namespace, o.Metadata.Name, o.RoleRef, o.Subjects})
	return nil
}

// check returns the first error in an object.
// Source: kubernetes v1.36 pkg/apis/rbac/validation validation.go.
func (o *object) check() error {
	if o.Metadata.Name == "" {
		return errors.New("metadata.name: Required value: name or generateName is required")
	}
	if faults := validate.PathSegmentName(o.Metadata.Name, false); len(faults) > 0 {
		return fmt.Errorf("metadata.name: Invalid value: %q: %s", o.Metadata.Name, faults[0])
	}
	namespaced := !strings.HasPrefix(o.Kind, "Cluster")
	if namespaced && o.Metadata.Namespace == "" {
		return fmt.Errorf("metadata.namespace: name the namespace, or make it a Cluster%s", o.Kind)
	}
	if strings.HasSuffix(o.Kind, "Role") {
		if len(o.AggregationRule) > 0 && string(o.AggregationRule) != "null" {
			return errors.New(
				"aggregationRule: no controller here collects the rules of other roles; list the rules " +
					"instead")
		}
		for i := range o.Rules {
			if err := o.Rules[i].check(namespaced); err != nil {
				return fmt.Errorf("rules[%d].%w", i, err)
			}
		}
		return nil
	}
	switch {
	case o.RoleRef.APIGroup != rbacGroup:
		return fmt.Errorf("roleRef.apiGroup: Unsupported value: %q: supported values: %q", o.RoleRef.APIGroup,
			rbacGroup)
	case o.RoleRef.Kind != "ClusterRole" && (!namespaced || o.RoleRef.Kind != "Role"):
		supported := `"ClusterRole"`
		if namespaced {
			supported = `"Role", "ClusterRole"`
		}
		return fmt.Errorf("roleRef.kind: Unsupported value: %q: supported values: %s", o.RoleRef.Kind, supported)
	case o.RoleRef.Name == "":
		return errors.New("roleRef.name: Required value")
	}
	for i, s := range o.Subjects {
		if err := s.check(namespaced); err != nil {
			return fmt.Errorf("subjects[%d].%w", i, err)
		}
	}
	return nil
}

func (r *Rule) check(namespaced bool) error {
	switch {
	case len(r.Verbs) == 0:
		return errors.New("verbs: Required value: verbs must contain at least one value")
	case len(r.NonResourceURLs) > 0 && namespaced:
		return errors.New("nonResourceURLs: namespaced rules cannot apply to non-resource URLs; use a ClusterRole")
	case len(r.NonResourceURLs) > 0 && len(r.APIGroups)+len(r.Resources)+len(r.ResourceNames) > 0:
		return errors.New("nonResourceURLs: rules cannot apply to both regular resources and non-resource URLs")
	case len(r.NonResourceURLs) > 0:
		return nil
	case len(r.APIGroups) == 0:
		return errors.New(
			`apiGroups: Required value: resource rules must supply at least one api group; "" is the core group`)
	case len(r.Resources) == 0:
		return errors.New("resources: Required value: resource rules must supply at least one resource")
	}
	return nil
}

// check returns the first error in a subject. If apiGroup is missing, it uses the default for the kind.
func (s subject) check(namespaced bool) error {
	supported := rbacGroup
	switch s.Kind {
	case "User", "Group":
	case "ServiceAccount":
		supported = ""
		if s.Namespace == "" && !namespaced {
			return errors.New("namespace: Required value")
		}
	default:
		return fmt.Errorf("kind: Unsupported value: %q: supported values: %q, %q, %q", s.Kind, "ServiceAccount", "User",
			"Group")
	}
	if s.Name == "" {
		return errors.New("name: Required value")
	}
	if s.APIGroup != "" && s.APIGroup != supported {
		return fmt.Errorf("apiGroup: Unsupported value: %q: supported values: %q", s.APIGroup, supported)
	}
	return nil
}

func (b *binding) roleText() string {
	if b.namespace == "" {
		return fmt.Sprintf("ClusterRoleBinding %q", b.name)
	}
	return fmt.Sprintf("RoleBinding %q in namespace %q", b.name, b.namespace)
}

// knownRoles lists the roles that a binding may name.
func (p *Policy) knownRoles(b binding) string {
	var names []string
	for _, r := range p.roles {
		if (b.ref.Kind == "ClusterRole") == (r.namespace == "") && (r.namespace == "" || r.namespace == b.namespace) {
			names = append(names, r.name)
		}
	}
	if len(names) == 0 {
		return fmt.Sprintf("namespace %q has no Role", b.namespace)
	}
	return "use one of " + strings.Join(names, ", ")
}
