package schema

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestShippedScenariosFitTheSchema(t *testing.T) {
	root := decode(t, JSON())
	for _, s := range shipped.List() {
		assert.Empty(t, check(root, root, decode(t, scenario.Encode(s)), s.Name))
	}
}

// What a reader without leaselab would otherwise learn late: the shape errors, found by the schema alone.
func TestSchemaRefusesWrongShapes(t *testing.T) {
	root := decode(t, JSON())
	for name, text := range map[string]string{
		"unknown field":       `{"apiVersion":"leaselab.dev/v1alpha1","kind":"Scenario","seed":1,"duration":"1m","color":"red"}`,
		"missing duration":    `{"apiVersion":"leaselab.dev/v1alpha1","kind":"Scenario","seed":1}`,
		"unknown preset":      `{"apiVersion":"leaselab.dev/v1alpha1","kind":"Scenario","duration":"1m","preset":"client"}`,
		"number for duration": `{"apiVersion":"leaselab.dev/v1alpha1","kind":"Scenario","seed":1,"duration":60}`,
		"negative duration":   `{"apiVersion":"leaselab.dev/v1alpha1","kind":"Scenario","seed":1,"duration":"-1m"}`,
		"wrong kind":          `{"apiVersion":"leaselab.dev/v1alpha1","kind":"Pod","seed":1,"duration":"1m"}`,
		"seed of 2^53":        `{"apiVersion":"leaselab.dev/v1alpha1","kind":"Scenario","seed":9007199254740992,"duration":"1m"}`,
		"field of other act":  `{"apiVersion":"leaselab.dev/v1alpha1","kind":"Scenario","seed":1,"duration":"1m","actions":[{"at":"1s","act":"crash","target":"a","mode":"drop"}]}`,
		"act without target":  `{"apiVersion":"leaselab.dev/v1alpha1","kind":"Scenario","seed":1,"duration":"1m","actions":[{"at":"1s","act":"crash"}]}`,
		"unknown act":         `{"apiVersion":"leaselab.dev/v1alpha1","kind":"Scenario","seed":1,"duration":"1m","actions":[{"at":"1s","act":"explode","target":"a"}]}`,
		"draw of 1":           `{"apiVersion":"leaselab.dev/v1alpha1","kind":"Scenario","seed":1,"duration":"1m","candidates":[{"name":"a","jitterDraws":[1]}]}`,
	} {
		assert.NotEmpty(t, check(root, root, decode(t, []byte(text)), ""), name)
	}
}

func TestSchemaIsTheSameEveryTime(t *testing.T) {
	assert.Equal(t, string(JSON()), string(JSON()))
}

func decode(t *testing.T, text []byte) map[string]any {
	t.Helper()
	var v map[string]any
	require.NoError(t, json.Unmarshal(text, &v))
	return v
}

// check is a validator for the keywords this schema uses. It returns what is wrong, and panics at a keyword it does not
// know, so that the schema cannot outgrow it unseen.
func check(root, schema map[string]any, v any, path string) []string {
	var wrong []string
	fail := func(keyword string) { wrong = append(wrong, path+": "+keyword) }
	for keyword, rule := range schema {
		switch keyword {
		case "$schema", "$id", "$defs", "title", "description", "examples", "then",
			"x-name", "x-short", "x-sentence",
			"x-headings", "x-sections", "x-heading", "x-section", "x-effect", "x-lines", "x-words", "x-default":
		case "$ref":
			name := strings.TrimPrefix(rule.(string), "#/$defs/")
			wrong = append(wrong, check(root, root["$defs"].(map[string]any)[name].(map[string]any), v, path)...)
		case "type":
			if !hasType(v, rule.(string)) {
				fail(keyword)
			}
		case "const":
			if v != rule {
				fail(keyword)
			}
		case "enum":
			if !slices.Contains(rule.([]any), v) {
				fail(keyword)
			}
		case "pattern":
			if s, ok := v.(string); ok && !matches(rule.(string), s) {
				fail(keyword)
			}
		case "minimum":
			if n, ok := v.(float64); ok && n < rule.(float64) {
				fail(keyword)
			}
		case "maximum":
			if n, ok := v.(float64); ok && n > rule.(float64) {
				fail(keyword)
			}
		case "exclusiveMaximum":
			if n, ok := v.(float64); ok && n >= rule.(float64) {
				fail(keyword)
			}
		case "maxItems":
			if list, ok := v.([]any); ok && len(list) > int(rule.(float64)) {
				fail(keyword)
			}
		case "items":
			list, _ := v.([]any)
			for _, item := range list {
				wrong = append(wrong, check(root, rule.(map[string]any), item, path+"[]")...)
			}
		case "required":
			for _, name := range rule.([]any) {
				if fields, ok := v.(map[string]any); ok && fields[name.(string)] == nil {
					fail(keyword + " " + name.(string))
				}
			}
		case "properties", "additionalProperties", "propertyNames":
			wrong = append(wrong, checkFields(root, schema, keyword, v, path)...)
		case "allOf":
			for _, each := range rule.([]any) {
				wrong = append(wrong, check(root, each.(map[string]any), v, path)...)
			}
		case "anyOf":
			if !slices.ContainsFunc(rule.([]any), func(each any) bool { return len(check(root, each.(map[string]any), v, path)) == 0 }) {
				fail(keyword)
			}
		case "if":
			if len(check(root, rule.(map[string]any), v, path)) == 0 {
				wrong = append(wrong, check(root, schema["then"].(map[string]any), v, path)...)
			}
		default:
			panic("the test's validator does not know " + keyword)
		}
	}
	return wrong
}

func checkFields(root, schema map[string]any, keyword string, v any, path string) []string {
	fields, _ := v.(map[string]any)
	properties, _ := schema["properties"].(map[string]any)
	var wrong []string
	for name, value := range fields {
		known, ok := properties[name].(map[string]any)
		switch {
		case keyword == "properties" && ok:
			wrong = append(wrong, check(root, known, value, path+"."+name)...)
		case keyword == "additionalProperties" && !ok:
			wrong = append(wrong, path+": unknown "+name)
		case keyword == "propertyNames":
			wrong = append(wrong, check(root, schema[keyword].(map[string]any), name, path+"."+name)...)
		}
	}
	return wrong
}

func hasType(v any, want string) bool {
	switch v := v.(type) {
	case string:
		return want == "string"
	case bool:
		return want == "boolean"
	case float64:
		return want == "number" || (want == "integer" && v == float64(int64(v)))
	case []any:
		return want == "array"
	case map[string]any:
		return want == "object"
	}
	return false
}

func matches(pattern, text string) bool { return regexp.MustCompile(pattern).MatchString(text) }
