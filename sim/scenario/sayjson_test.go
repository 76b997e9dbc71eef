package scenario

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestSayJSON(t *testing.T) {
	type inner struct {
		Number int     `json:"number"`
		Real   float64 `json:"real"`
		Truth  bool    `json:"truth"`
		Seed   *uint64 `json:"seed"`
	}
	type document struct {
		Text  string  `json:"text"`
		List  []inner `json:"list"`
		Inner inner   `json:"inner"`
	}
	for text, want := range map[string]string{
		`[]`:                         "the document is a list; it should be an object",
		`{"text":7}`:                 "text is a number; it should be a text",
		`{"text":{}}`:                "text is an object; it should be a text",
		`{"list":"x"}`:               "list is a text; it should be a list",
		`{"inner":[]}`:               "inner is a list; it should be an object",
		`{"inner":{"number":1.5}}`:   "inner.number is the number 1.5; it should be a whole number",
		`{"inner":{"number":1e300}}`: "inner.number is the number 1e300; it should be a whole number",
		`{"inner":{"real":true}}`:    "inner.real is true or false; it should be a number",
		`{"inner":{"truth":"yes"}}`:  "inner.truth is a text; it should be true or false",
		`{"inner":{"seed":-1}}`:      "inner.seed is the number -1; it should be a whole number, 0 or more",
		`{"other":1}`:                `unknown field "other"`,
		`{`:                          "it ends too early",
		``:                           "it ends too early",
		`{'a'}`:                      `the document is not JSON: invalid character '\'' looking for beginning of object key string`,
	} {
		d := json.NewDecoder(bytes.NewReader([]byte(text)))
		d.DisallowUnknownFields()
		var into document
		assert.Equal(t, want, SayJSON(d.Decode(&into)), text)
	}
}

// A document cannot be so deep that reading it overflows a stack.
func TestDecodeRefusesWhatIsDeep(t *testing.T) {
	deep := strings.Repeat("[", 100_000)
	_, err := Decode([]byte("{\n\"x\":\n" + deep))
	assert.EqualError(t, err, "line 3: the document is nested more than 100 levels deep, the limit of a scenario")
	_, err = DecodeActions([]json.RawMessage{[]byte(deep)})
	assert.EqualError(t, err, "line 1: the document is nested more than 100 levels deep, the limit of a scenario")
	_, err = Decode([]byte(document(`"seed": 7`, `"seed": `+strings.Repeat("[", 99)+strings.Repeat("]", 99))))
	assert.ErrorContains(t, err, "seed")
}
