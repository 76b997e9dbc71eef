package yaml

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"

	"github.com/leaselab/leaselab/sim/scenario"
	"go.yaml.in/yaml/v3"
)

// A plain scalar (without quotes) has the type that its form suggests, and YAML 1.1 and 1.2 disagree: "on" is true or
// text, 017 is fifteen or seventeen, 12:30 is 750 or text, 1e3 is text or a thousand. The variables whose names begin
// with agreed hold the forms that mean the same in both versions.
var (
	agreedNull  = regexp.MustCompile(`^(|~|null|Null|NULL)$`)
	agreedBool  = regexp.MustCompile(`^(true|True|TRUE|false|False|FALSE)$`)
	agreedInt   = regexp.MustCompile(`^[-+]?(0|[1-9][0-9]*)$`)
	agreedHex   = regexp.MustCompile(`^0x[0-9a-fA-F]{1,16}$`)
	agreedFloat = regexp.MustCompile(`^[-+]?(\.[0-9]+|(0|[1-9][0-9]*)\.[0-9]*)([eE][-+][0-9]+)?$`)
)

// disputed are the forms that the versions read differently, with the reason for the error. Order matters, because
// the first match gives the reason: 0o17, 0b1 and 12:30 have more specific reasons than the general "is a number in
// one version". Everything that has neither an agreed nor a disputed form is text for every parser.
var disputed = []struct {
	looks *regexp.Regexp
	why   string
}{
	{regexp.MustCompile(`^(y|Y|n|N|yes|Yes|YES|no|No|NO|on|On|ON|off|Off|OFF)$`),
		"is true or false in YAML 1.1 and text in YAML 1.2"},
	{regexp.MustCompile(`^[-+]?0o[0-7]+$`), "is text in YAML 1.1 and an octal number in YAML 1.2"},
	{regexp.MustCompile(`^[-+]?0b[01_]+$`), "is a binary number in YAML 1.1 and text in YAML 1.2"},
	{regexp.MustCompile(`^[-+]?0x[0-9a-fA-F_]+$`), "is a number in one version of YAML and text in the other"},
	{regexp.MustCompile(`^[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?$`),
		"is a base-60 number in YAML 1.1 and text in YAML 1.2"},
	{regexp.MustCompile(`^[-+]?0[0-9_]+$`), "is an octal number in YAML 1.1 and a decimal one in YAML 1.2"},
	{regexp.MustCompile(`^[-+]?[0-9][0-9_]*(\.[0-9_]*)?([eE][-+]?[0-9]+)?$`),
		"is a number in one version of YAML and text in the other"},
	{regexp.MustCompile(`^[-+]?\.[0-9_]+([eE][-+]?[0-9]+)?$`),
		"is a number in one version of YAML and text in the other"},
	{regexp.MustCompile(`^[-+]?\.(inf|Inf|INF|nan|NaN|NAN)$`), "is not a number that JSON can hold"},
	{regexp.MustCompile(`^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt \t].*)?$`), "is a date in YAML 1.1 and text in YAML 1.2"},
	{regexp.MustCompile(`^=$`), "is a special value in YAML 1.1 and text in YAML 1.2"},
}

// `plain` returns the JSON of a plain scalar, "" for text, or an error if the YAML versions disagree. A number on which
// they agree keeps its digits; only a hexadecimal number becomes decimal, because JSON has no hexadecimal numbers.
func plain(n *yaml.Node) (literal string, err error) {
	text := n.Value
	switch {
	case text == "<<":
		return "", refuse(n.Line, "YAML merge keys (<<) are not supported", "repeat the fields")
	case agreedNull.MatchString(text):
		return "null", nil
	case agreedBool.MatchString(text):
		return strings.ToLower(text), nil
	case agreedInt.MatchString(text):
		return strings.TrimPrefix(text, "+"), nil
	case agreedHex.MatchString(text):
		number, err := strconv.ParseUint(text[2:], 16, 64)
		return strconv.FormatUint(number, 10), err
	case agreedFloat.MatchString(text):
		return jsonFloat(text), nil
	}
	for _, d := range disputed {
		if d.looks.MatchString(text) {
			return "", &scenario.FieldError{
				Value: text, Rule: d.why, Line: n.Line,
				Message: text + " " + d.why + `; write it in quotes if it is text: "` + text +
					`", or as a plain decimal number`,
			}
		}
	}
	return "", nil
}

// jsonFloat writes ".5" and "5." as JSON does, with the same digits.
func jsonFloat(text string) string {
	sign := ""
	if text[0] == '-' {
		sign = "-"
	}
	whole, rest, _ := strings.Cut(strings.TrimLeft(text, "+-"), ".")
	whole = cmp.Or(whole, "0")
	if rest == "" || rest[0] == 'e' || rest[0] == 'E' {
		rest = "0" + rest
	}
	return sign + whole + "." + rest
}

// isText reports whether every parser reads a plain scalar as text.
func isText(text string) bool {
	literal, err := plain(&yaml.Node{Value: text})
	return err == nil && literal == ""
}
