package apiserver

import (
	"github.com/leaselab/leaselab/core/apiserver/validate"
	"github.com/leaselab/leaselab/core/wire"
)

// deleteOptions is metav1.DeleteOptions without the fields that have no effect here. Every grace period is zero.
type deleteOptions struct {
	uid, revision *string // preconditions
	orphan        *bool
	policy        *string
	dryRun        []string
}

// deleteOptions parses the options from the body, or from the query of a request without a body. Source: apiserver
// v0.36 pkg/endpoints/handlers delete.go.
func (c *call) deleteOptions() (*deleteOptions, *failure) {
	data, f := c.readBody()
	if f != nil {
		return nil, f
	}
	var o *deleteOptions
	if len(data) > 0 {
		o, f = c.deleteOptionsIn(data)
	} else {
		o, f = c.r.deleteOptions()
	}
	if f != nil {
		return nil, f
	}
	if causes := o.validate(); len(causes) > 0 {
		return nil, invalid(metaGroup, "DeleteOptions", "", causes)
	}
	c.dryRun = len(o.dryRun) > 0
	return o, nil
}

// deleteOptions parses the options in the query. Source: apimachinery v0.36 pkg/apis/meta/v1 conversion.go
// Convert_url_Values_To_v1_DeleteOptions.
func (r *Request) deleteOptions() (*deleteOptions, *failure) {
	o := &deleteOptions{dryRun: r.all("dryRun")}
	if _, err := r.number("gracePeriodSeconds"); err != nil {
		return nil, badRequest("%s", err)
	}
	if r.has("orphanDependents") {
		orphan := r.truth("orphanDependents")
		o.orphan = &orphan
	}
	if r.has("propagationPolicy") {
		policy := r.param("propagationPolicy")
		o.policy = &policy
	}
	if uid := r.param("uid"); uid != "" {
		o.uid = &uid
	}
	if revision := r.param("resourceVersion"); revision != "" {
		o.revision = &revision
	}
	return o, nil
}

// deleteOptionsIn parses DeleteOptions of any group from a body.
func (c *call) deleteOptionsIn(data []byte) (*deleteOptions, *failure) {
	sent := data
	media, f := c.r.bodyMedia()
	switch {
	case f != nil:
		return nil, f
	case media == protobufMedia:
		return nil, badRequest("provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]")
	case media == yamlMedia && c.config.YAML != nil:
		turned, err := c.config.YAML(data)
		if err != nil {
			return nil, badRequest("%s", err)
		}
		sent = turned
	}
	n, err := wire.Parse(sent)
	if err != nil {
		return nil, badRequest("couldn't get version/kind; json parse error: %s", err)
	}
	kind, apiVersion, err := kindIn(n)
	if err != nil {
		return nil, badRequest("%s", err)
	}
	if f := optionsKind(kind, apiVersion, data); f != nil {
		return nil, f
	}
	m, _, err := wire.Decode(n, deleteOptionsType)
	if err != nil {
		return nil, badRequest("%s", err)
	}
	o := &deleteOptions{
		uid: textIn(m, "preconditions", "uid"), revision: textIn(m, "preconditions", "resourceVersion"),
		orphan: truthIn(m, "orphanDependents"), policy: textIn(m, "propagationPolicy"),
	}
	for _, value := range wire.List(m, "dryRun") {
		text, _ := value.(string)
		o.dryRun = append(o.dryRun, text)
	}
	return o, nil
}

func textIn(m wire.Map, path ...string) *string {
	if text, is := wire.Get(m, path...).(string); is {
		return &text
	}
	return nil
}

func truthIn(m wire.Map, path ...string) *bool {
	if truth, is := wire.Get(m, path...).(bool); is {
		return &truth
	}
	return nil
}

// optionsKind returns a failure for a body whose kind is not DeleteOptions, whatever its group. If upstream's scheme
// for options knows the kind, the error differs: upstream decodes the body but cannot convert it. Source: apimachinery
// v0.36 pkg/apis/meta/internalversion register.go, pkg/runtime/serializer/json json.go Decode.
func optionsKind(kind, apiVersion string, data []byte) *failure {
	const ours = "meta.k8s.io/v1"
	group, versionName, ok := validate.ParseGroupVersion(apiVersion)
	switch {
	case apiVersion == "" || apiVersion == "/" || apiVersion == "meta.k8s.io/":
		group, versionName, apiVersion = metaGroup, "v1", ours
	case !ok:
		return badRequest("unexpected GroupVersion string: %s", apiVersion)
	case versionName == "":
		return badRequest("Object 'apiVersion' is missing in '%s'", data)
	}
	known := false
	switch kind {
	case "", "DeleteOptions":
		return nil
	case "CreateOptions", "UpdateOptions", "Status", "APIVersions", "APIGroupList", "APIGroup", "APIResourceList":
		known = true // every group has DeleteOptions
	case "ListOptions", "GetOptions", "PatchOptions", "TableOptions", "Table", "PartialObjectMetadata",
		"PartialObjectMetadataList", "WatchEvent":
		known = apiVersion == ours
	}
	if known {
		return badRequest("converting (v1.%s) to (v1.DeleteOptions): unknown conversion", kind)
	}
	const where = `in scheme "k8s.io/apimachinery/pkg/apis/meta/internalversion/scheme/register.go:27"`
	if versionName == "__internal" {
		return badRequest("no kind %q is registered for the internal version of group %q %s", kind, group, where)
	}
	return badRequest("no kind %q is registered for version %q %s", kind, apiVersion, where)
}

// validate returns an error for each pair of options that contradict each other. Source: apimachinery v0.36
// pkg/apis/meta/v1/validation ValidateDeleteOptions.
func (o *deleteOptions) validate() []validate.Cause {
	var causes []validate.Cause
	if o.policy != nil {
		said := string(wire.Quote(nil, *o.policy))
		if o.orphan != nil {
			causes = append(causes, validate.Invalid("propagationPolicy", said,
				"orphanDependents and deletionPropagation cannot be both set"))
		}
		switch *o.policy {
		case "Foreground", "Background", "Orphan":
		default:
			causes = append(causes, validate.Unsupported("propagationPolicy", said, "Foreground", "Background",
				"Orphan", "nil"))
		}
	}
	return append(causes, dryRunFaults(o.dryRun)...)
}
