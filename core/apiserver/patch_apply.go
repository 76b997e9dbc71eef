package apiserver

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/leaselab/leaselab/core/apiserver/fieldmanager"
	"github.com/leaselab/leaselab/core/wire"
)

// apply returns the object after a server-side apply. The argument live is nil if the object does not exist yet.
// Source: apiserver v0.36 pkg/endpoints/handlers patch.go applyPatcher.
func (p *patching) apply(live *storedObject) (object, *failure) {
	config, err := p.configuration()
	if err != nil {
		return nil, badRequest("error decoding YAML: %s", err)
	}
	p.confineApplied(config)
	var old object
	if live != nil {
		old = p.liveObject(live)
	}
	o, err := p.writes(p.manager).Apply(old, config, p.force())
	if err != nil {
		return nil, applyFailure(err)
	}
	if p.yaml == nil {
		return o, nil
	}
	if err := p.yaml.strict; err != nil {
		text := "error converting YAML to JSON: " + err.Error()
		if p.r.fieldValidation() == "Strict" {
			return nil, badRequest("error strict decoding YAML: %s", text)
		}
		p.warnStrict([]string{text})
	}
	return o, nil
}

// force parses the parameter: everything but "0" and "false" is true, even "".
// Source: apimachinery v0.36 pkg/runtime conversion.go Convert_Slice_string_To_bool.
func (p *patching) force() bool {
	value := p.r.param("force")
	return p.r.has("force") && value != "0" && !strings.EqualFold(value, "false")
}

// applyFailure converts an error of an apply to a failure.
func applyFailure(err error) *failure {
	var conflicts fieldmanager.Conflicts
	var bad fieldmanager.BadRequest
	switch {
	case errors.As(err, &conflicts):
		causes := make([]any, len(conflicts))
		for i, c := range conflicts {
			causes[i] = wire.Map{"reason": "FieldManagerConflict", "message": "conflict with " + c.Manager,
				"field": c.Path}
		}
		return fail(409, "Conflict", "%s", err).with(wire.Map{"causes": causes})
	case errors.As(err, &bad):
		return badRequest("%s", err)
	}
	return internal("%s", err)
}

// configuration decodes the body.
// Source: apimachinery v0.36 pkg/util/yaml Unmarshal.
func (p *patching) configuration() (wire.Map, error) {
	data := p.data
	switch {
	case p.config.YAML != nil:
		if p.readYAML(data); p.yaml.err != nil {
			return nil, fmt.Errorf("error converting YAML to JSON: %w", p.yaml.err)
		}
		data = p.yaml.json
	case len(bytes.TrimSpace(data)) == 0: // an empty document is null in YAML
		return nil, nil
	}
	n, err := wire.Parse(data)
	if err != nil {
		return nil, fmt.Errorf("error converting YAML to JSON: %w", err)
	}
	config, _, err := wire.Decode(n, anyObjectType)
	if err != nil {
		return nil, fmt.Errorf("error unmarshaling JSON: while decoding JSON: %w", err)
	}
	return config, nil
}
