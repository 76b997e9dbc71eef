package yaml

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/words"
	"go.yaml.in/yaml/v3"
)

// Encode writes the canonical form as YAML: fields in the order of the types, and text in quotes wherever a parser
// could take it for another type. Decode(Encode(s)) gives s again, but without the comments of the file that s came
// from.
//
// It converts the JSON rather than the Go struct, so that the rules about omitted fields stay in one place.
func Encode(s scenario.Scenario) []byte {
	tokens := json.NewDecoder(bytes.NewReader(scenario.Encode(s)))
	tokens.UseNumber()
	var out bytes.Buffer
	w := yaml.NewEncoder(&out)
	w.SetIndent(2)
	if err := w.Encode(fromJSON(tokens)); err != nil {
		panic("a scenario is plain data, yet it does not encode: " + err.Error())
	}
	return out.Bytes()
}

// fromJSON builds the YAML of the next value. Its tokens come from the canonical form, so they are valid.
func fromJSON(tokens *json.Decoder) *yaml.Node {
	token, err := tokens.Token()
	if err != nil {
		panic("the canonical form of a scenario is not JSON: " + err.Error())
	}
	switch v := token.(type) {
	case bool:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!bool", Value: strconv.FormatBool(v)}
	case json.Number:
		return number(v)
	case string:
		return textNode(v)
	}
	n := &yaml.Node{Kind: yaml.SequenceNode}
	if token == json.Delim('{') {
		n.Kind = yaml.MappingNode
	}
	for tokens.More() {
		n.Content = append(n.Content, fromJSON(tokens)) // an object's member names are tokens, too
	}
	_, _ = tokens.Token() // this is the closing bracket, because More returned false
	if len(n.Content) == 0 {
		n.Style = yaml.FlowStyle
	}
	return n
}

// `number` writes a number without an exponent, because the versions of YAML disagree about 1e-7.
func number(v json.Number) *yaml.Node {
	if !strings.ContainsAny(v.String(), ".eE") {
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!int", Value: v.String()}
	}
	f, err := v.Float64()
	if err != nil {
		panic("the canonical form of a scenario has an invalid number: " + err.Error())
	}
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!float", Value: strconv.FormatFloat(f, 'f', -1, 64)}
}

// textNode writes text plain if every parser reads it as text, and otherwise in double quotes, which can escape control
// characters and a byte order mark.
func textNode(text string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: text}
	if !isText(text) || strings.ContainsFunc(text, words.IsControl) || strings.Contains(text, "\ufeff") {
		n.Style = yaml.DoubleQuotedStyle
	}
	return n
}
