package audit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/core/apiserver/validate"
	"github.com/leaselab/leaselab/sim/serve/rbac"
)

// Stage is an instant of a request at which an Event is written.
type Stage string

const (
	RequestReceived  Stage = "RequestReceived"  // before anything is done
	ResponseStarted  Stage = "ResponseStarted"  // of a watch: before its first event
	ResponseComplete Stage = "ResponseComplete" // nothing more is sent
	Panic            Stage = "Panic"            // no request comes to it here
)

var stages = []string{string(RequestReceived), string(ResponseStarted), string(ResponseComplete), string(Panic)}

// Policy says what an audit log has of which requests: a Policy of audit.k8s.io/v1.
// Source: apiserver v0.36 pkg/apis/audit/v1 types.go.
type Policy struct {
	Rules             []Rule
	OmitStages        []Stage
	OmitManagedFields bool
}

// Rule says it of the requests that fit all its fields. An empty field fits all.
type Rule struct {
	Level             Level            `json:"level"`
	Users             []string         `json:"users"`
	UserGroups        []string         `json:"userGroups"`
	Verbs             []string         `json:"verbs"`
	Resources         []GroupResources `json:"resources"`
	Namespaces        []string         `json:"namespaces"`
	NonResourceURLs   []string         `json:"nonResourceURLs"`
	OmitStages        []Stage          `json:"omitStages"`
	OmitManagedFields *bool            `json:"omitManagedFields"`
}

// GroupResources are resources of an API group.
type GroupResources struct {
	Group         string   `json:"group"`
	Resources     []string `json:"resources"`
	ResourceNames []string `json:"resourceNames"`
}

// Decision is what a Policy says of a request.
type Decision struct {
	Level             Level
	OmitStages        []Stage
	OmitManagedFields bool
}

// Always returns the policy of one level for all requests, without the stage RequestReceived.
func Always(level Level) *Policy {
	return &Policy{Rules: []Rule{{Level: level}}, OmitStages: []Stage{RequestReceived}}
}

// Decide returns what the first rule says that a request fits; Level None if none does. u is nil if the sender is
// unknown. Source: apiserver v0.36 pkg/audit/policy checker.go EvaluatePolicyRule.
func (p *Policy) Decide(u *rbac.User, a apiserver.Attributes) Decision {
	d := Decision{Level: None, OmitStages: p.OmitStages, OmitManagedFields: p.OmitManagedFields}
	for i := range p.Rules {
		r := &p.Rules[i]
		if !r.fits(u, &a) {
			continue
		}
		d.Level, d.OmitStages = r.Level, append(slices.Clone(p.OmitStages), r.OmitStages...)
		if r.OmitManagedFields != nil {
			d.OmitManagedFields = *r.OmitManagedFields
		}
		break
	}
	return d
}

func (r *Rule) fits(u *rbac.User, a *apiserver.Attributes) bool {
	inGroup := func(group string) bool { return slices.Contains(r.UserGroups, group) }
	switch {
	case len(r.Users) > 0 && (u == nil || !slices.Contains(r.Users, u.Name)):
		return false
	case len(r.UserGroups) > 0 && (u == nil || !slices.ContainsFunc(u.Groups, inGroup)):
		return false
	case len(r.Verbs) > 0 && !slices.Contains(r.Verbs, a.Verb):
		return false
	case len(r.Namespaces) > 0 && (!a.OnResource || !slices.Contains(r.Namespaces, a.Namespace)):
		return false
	case len(r.Resources) > 0:
		return a.OnResource && slices.ContainsFunc(r.Resources, func(g GroupResources) bool { return g.has(a) })
	case len(r.Namespaces) == 0 && len(r.NonResourceURLs) > 0:
		return !a.OnResource && slices.ContainsFunc(r.NonResourceURLs,
			func(url string) bool { return hasPath(url, a.Path) })
	}
	return true
}

func hasPath(url, path string) bool {
	return url == "*" || url == path || strings.HasSuffix(url, "*") &&
		strings.HasPrefix(path, strings.TrimRight(url, "*"))
}

func (g *GroupResources) has(a *apiserver.Attributes) bool {
	if g.Group != a.Group && g.Group != "*" {
		return false
	}
	if len(g.Resources) == 0 {
		return true
	}
	if len(g.ResourceNames) > 0 && !slices.Contains(g.ResourceNames, a.Name) {
		return false
	}
	whole := a.Resource
	if a.Subresource != "" {
		whole += "/" + a.Subresource
	}
	for _, resource := range g.Resources {
		of, is := strings.CutSuffix(resource, "/*")
		if resource == whole || resource == "*" || a.Subresource != "" && resource == "*/"+a.Subresource || is &&
			of == a.Resource {
			return true
		}
	}
	return false
}

// Load reads a policy from a YAML or JSON file. An error names the field and the fix.
func Load(path string) (*Policy, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	p, err := Parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %s", path, strings.Join(strings.Fields(err.Error()), " "))
	}
	return p, nil
}

// Parse reads a policy.
//
// Deviation: upstream warns of a field that it does not know, and goes on without it. Pinned by TestBadPolicies.
// Source: apiserver v0.36 pkg/audit/policy reader.go LoadPolicyFromBytes.
func Parse(data []byte) (*Policy, error) {
	object, err := yaml.YAMLToJSONStrict(data)
	if err != nil {
		return nil, fmt.Errorf("the file must hold YAML or JSON: %w", err)
	}
	var file struct {
		APIVersion        string          `json:"apiVersion"`
		Kind              string          `json:"kind"`
		Metadata          json.RawMessage `json:"metadata"`
		Rules             json.RawMessage `json:"rules"`
		OmitStages        []Stage         `json:"omitStages"`
		OmitManagedFields bool            `json:"omitManagedFields"`
	}
	if !bytes.HasPrefix(bytes.TrimSpace(object), []byte("{")) {
		return nil, errors.New("the file must hold one object: apiVersion: audit.k8s.io/v1, kind: Policy and rules")
	}
	if err := strictly(object, &file, "",
		"apiVersion, kind, metadata, rules, omitStages and omitManagedFields"); err != nil {
		return nil, err
	}
	if file.APIVersion != "audit.k8s.io/v1" || file.Kind != "Policy" {
		return nil, fmt.Errorf("apiVersion %q, kind %q: the file must hold a Policy of audit.k8s.io/v1",
			file.APIVersion, file.Kind)
	}
	var rules []json.RawMessage
	if file.Rules != nil {
		if err := strictly(file.Rules, &rules, "rules", ""); err != nil {
			return nil, err
		}
	}
	if len(rules) == 0 {
		return nil, errors.New("rules: the policy must have at least one, such as {level: Metadata}")
	}
	p := &Policy{OmitStages: file.OmitStages, OmitManagedFields: file.OmitManagedFields}
	if err := knownStages(p.OmitStages, "omitStages"); err != nil {
		return nil, err
	}
	for i, raw := range rules {
		var r Rule
		at := fmt.Sprintf("rules[%d]", i)
		if err := strictly(raw, &r, at,
			"level, users, userGroups, verbs, resources (with group, resources, resourceNames), namespaces, "+
				"nonResourceURLs, omitStages and omitManagedFields"); err != nil {
			return nil, err
		}
		if err := r.check(at); err != nil {
			return nil, err
		}
		p.Rules = append(p.Rules, r)
	}
	return p, nil
}

// strictly decodes a part of a policy; at is its path, and has says which fields there are.
func strictly(data []byte, into any, at, has string) error {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	err := decoder.Decode(into)
	if err == nil {
		return nil
	}
	if wrong := (*json.UnmarshalTypeError)(nil); errors.As(err, &wrong) {
		field := strings.Trim(at+"."+wrong.Field, ".")
		stands := strings.NewReplacer("array", "list", "object", "map", "bool", "boolean").Replace(wrong.Value)
		return fmt.Errorf(
			"%s: a %s stands where a %s belongs; in YAML a list has its items behind hyphens or in brackets, and y, "+
				"n, on and off are text in quotes only", field, stands, shapeOf(wrong.Type.String()))
	}
	if at == "" {
		at = "the policy"
	}
	return fmt.Errorf("%s: %s; it has %s", at, strings.TrimPrefix(err.Error(), "json: "), has)
}

// shapeOf names a type of Go as YAML does.
func shapeOf(name string) string {
	switch {
	case strings.HasPrefix(name, "[]"):
		return "list"
	case strings.HasSuffix(name, "bool"):
		return "boolean"
	case strings.HasSuffix(name, "GroupResources"), strings.HasSuffix(name, "Rule"), strings.HasPrefix(name, "struct"):
		return "map"
	}
	return "string"
}

// check returns the first fault of a rule.
// Source: apiserver v0.36 pkg/apis/audit/validation validation.go.
func (r *Rule) check(at string) error {
	levels := "None, " + strings.Join(Levels[:len(Levels)-1], ", ") + " or " + Levels[len(Levels)-1]
	switch {
	case r.Level == "":
		return fmt.Errorf("%s.level is missing; it must be %s", at, levels)
	case r.Level != None && !slices.Contains(Levels, string(r.Level)):
		return fmt.Errorf("%s.level: %q must be %s", at, r.Level, levels)
	}
	for i, url := range r.NonResourceURLs {
		switch {
		case url == "*":
		case !strings.HasPrefix(url, "/"):
			return fmt.Errorf("%s.nonResourceURLs[%d]: %q must begin with a slash, such as /healthz, or be *", at, i,
				url)
		case strings.Contains(url[:len(url)-1], "*"):
			return fmt.Errorf("%s.nonResourceURLs[%d]: %q may have a * at its end only", at, i, url)
		}
	}
	for i, g := range r.Resources {
		if faults := validate.SubdomainName(g.Group, false); g.Group != "" && g.Group != "*" && len(faults) > 0 {
			return fmt.Errorf(
				"%s.resources[%d].group: %q must be a name without a version, such as coordination.k8s.io, or empty "+
					"for the core group: %s", at, i, g.Group, faults[0])
		}
		if len(g.ResourceNames) > 0 && len(g.Resources) == 0 {
			return fmt.Errorf("%s.resources[%d].resourceNames needs resources beside it, such as resources: [leases]",
				at, i)
		}
	}
	if err := knownStages(r.OmitStages, at+".omitStages"); err != nil {
		return err
	}
	if len(r.NonResourceURLs) > 0 && (len(r.Resources) > 0 || len(r.Namespaces) > 0) {
		return fmt.Errorf(
			"%s.nonResourceURLs cannot stand beside resources or namespaces, because no request fits both; make two "+
				"rules", at)
	}
	return nil
}

func knownStages(omitted []Stage, at string) error {
	for i, stage := range omitted {
		if !slices.Contains(stages, string(stage)) {
			return fmt.Errorf("%s[%d]: %q must be %s or %s", at, i, stage, strings.Join(stages[:len(stages)-1], ", "),
				stages[len(stages)-1])
		}
	}
	return nil
}
