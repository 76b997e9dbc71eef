package apiserver

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/leaselab/leaselab/core/apiserver/validate"
	"github.com/leaselab/leaselab/core/wire"
)

// writeOptions parses and validates the options of a write: fieldManager, dryRun, fieldValidation, force. In errors,
// the argument kind names these options: CreateOptions, UpdateOptions or PatchOptions. Source: apimachinery v0.36
// pkg/apis/meta/v1/validation validation.go.
func (c *call) writeOptions(kind string) (manager string, f *failure) {
	var causes []validate.Cause
	manager = c.r.param("fieldManager")
	if kind == "PatchOptions" {
		applies := mediaBeforeParams(c.r.Header["content-type"]) == "application/apply-patch+yaml"
		switch {
		case !applies && c.r.has("force"):
			causes = append(causes, validate.Forbidden("force", "may not be specified for non-apply patch"))
		case applies && manager == "":
			causes = append(causes, validate.Required("fieldManager", "is required for apply patch"))
		}
	}
	causes = append(causes, validate.Manager(manager, "fieldManager")...)
	causes = append(causes, dryRunFaults(c.r.all("dryRun"))...)
	if value := c.r.param("fieldValidation"); value != "" && value != "Ignore" && value != "Warn" && value != "Strict" {
		causes = append(causes, validate.Unsupported("fieldValidation", strconv.Quote(value), "", "Ignore", "Strict",
			"Warn"))
	}
	if len(causes) > 0 {
		return "", invalid(metaGroup, kind, "", causes)
	}
	c.dryRun = c.r.has("dryRun")
	return c.r.manager(), nil
}

// dryRunFaults returns the errors of dryRun, whose only valid value is All.
func dryRunFaults(values []string) []validate.Cause {
	for _, value := range values {
		if value != "All" {
			shown := string(wire.Encode(nil, wire.Texts(values), nil))
			return []validate.Cause{validate.Unsupported("dryRun", shown, "All")}
		}
	}
	return nil
}

// manager returns the field manager of a write: fieldManager, else the part of User-Agent before the slash.
// Source: apiserver v0.36 pkg/endpoints/handlers/create.go managerOrUserAgent.
func (r *Request) manager() string {
	if m := r.param("fieldManager"); m != "" {
		return m
	}
	agent, _, _ := strings.Cut(r.Header["user-agent"], "/")
	if printable(agent) {
		return agent
	}
	m := ""
	for _, r := range agent {
		if !unicode.IsPrint(r) {
			continue
		}
		if len(m)+len(string(r)) > validate.LongestManager {
			break
		}
		m += string(r)
	}
	if m == "" {
		return "unknown"
	}
	return m
}

// printable reports whether a text can serve as a manager's name unchanged, that is, whether it is short and printable
// ASCII.
func printable(text string) bool {
	for i := range len(text) {
		if text[i] < ' ' || text[i] > '~' {
			return false
		}
	}
	return text != "" && len(text) <= validate.LongestManager
}

// fieldValidation returns how to treat unknown and duplicate fields: Ignore, Warn or Strict.
func (r *Request) fieldValidation() string {
	if value := r.param("fieldValidation"); value != "" {
		return value
	}
	return "Warn"
}

// mediaBeforeParams returns a Content-Type without its parameters. Patches compare it in this form.
func mediaBeforeParams(contentType string) string {
	media, _, _ := strings.Cut(contentType, ";")
	return media
}
