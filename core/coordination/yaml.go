package coordination

import (
	"bytes"
	"encoding/json"
	"sort"
	"strconv"
	"strings"
)

// YAML is an object's JSON as `kubectl get -o yaml` prints it: keys sorted, strings quoted only where a reader would
// take them for something else. It is byte-equal to sigs.k8s.io/yaml for objects of this package; the test is in
// sim/yamlfile, because core imports no YAML library.
func YAML(object []byte) []byte {
	decoder := json.NewDecoder(bytes.NewReader(object))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		panic(err) // only the engine's own JSON is written as YAML
	}
	var out bytes.Buffer
	writeYAML(&out, value, 0, false)
	return out.Bytes()
}

func writeYAML(out *bytes.Buffer, value any, indent int, inList bool) {
	switch v := value.(type) {
	case map[string]any:
		keys := make([]string, 0, len(v))
		for key := range v {
			keys = append(keys, key)
		}
		sort.Strings(keys)
		for i, key := range keys {
			if i > 0 || !inList {
				out.WriteString(strings.Repeat(" ", indent))
			}
			out.WriteString(scalar(key))
			out.WriteByte(':')
			writeEntry(out, v[key], indent)
		}
	case []any:
		for _, item := range v {
			out.WriteString(strings.Repeat(" ", indent))
			out.WriteString("- ")
			if m, isMap := item.(map[string]any); isMap && len(m) > 0 {
				writeYAML(out, item, indent+2, true)
				continue
			}
			out.WriteString(leaf(item))
			out.WriteByte('\n')
		}
	}
}

// writeEntry writes what follows a key's colon. Lists stay at the indentation of their key.
func writeEntry(out *bytes.Buffer, value any, indent int) {
	switch v := value.(type) {
	case map[string]any:
		if len(v) > 0 {
			out.WriteByte('\n')
			writeYAML(out, v, indent+2, false)
			return
		}
	case []any:
		if len(v) > 0 {
			out.WriteByte('\n')
			writeYAML(out, v, indent, false)
			return
		}
	}
	out.WriteByte(' ')
	out.WriteString(leaf(value))
	out.WriteByte('\n')
}

func leaf(value any) string {
	switch v := value.(type) {
	case string:
		return scalar(v)
	case json.Number:
		return v.String()
	case bool:
		return strconv.FormatBool(v)
	case map[string]any:
		return "{}"
	case []any:
		return "[]"
	}
	return "null"
}

// scalar writes a string plain, in single quotes or in double quotes, by the rules of YAML 1.1 emitters.
func scalar(s string) string {
	switch {
	case readsAsOther(s):
		return strconv.Quote(s)
	case hasControl(s):
		return strconv.Quote(s)
	case needsQuotes(s):
		return "'" + strings.ReplaceAll(s, "'", "''") + "'"
	}
	return s
}

func hasControl(s string) bool {
	for _, r := range s {
		if r < ' ' || r == 0x7f {
			return true
		}
	}
	return false
}

// readsAsOther reports whether a plain scalar would be read as a number, a boolean, null or a time.
func readsAsOther(s string) bool {
	switch s {
	case "", "~", "null", "Null", "NULL", "true", "True", "TRUE", "false", "False", "FALSE", "y", "Y", "yes", "Yes", "YES", "on", "On", "ON",
		"n", "N", "no", "No", "NO", "off", "Off", "OFF", ".nan", ".NaN", ".NAN", ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF", "-.inf", "-.Inf", "-.INF":
		return true
	}
	if c := s[0]; c == '+' || c == '-' || c == '.' || (c >= '0' && c <= '9') {
		plain := strings.ReplaceAll(s, "_", "")
		if _, err := strconv.ParseInt(plain, 0, 64); err == nil {
			return true
		}
		if _, err := strconv.ParseUint(plain, 0, 64); err == nil {
			return true
		}
		if _, err := strconv.ParseFloat(plain, 64); err == nil && !strings.ContainsAny(plain, "xXpPnN") {
			return true
		}
		return isDate(s) || isSexagesimal(s)
	}
	return false
}

func isDate(s string) bool {
	if len(s) < 8 || s[4] != '-' {
		return false
	}
	for _, c := range s[:4] {
		if c < '0' || c > '9' {
			return false
		}
	}
	return strings.Count(s[:min(len(s), 10)], "-") == 2
}

func isSexagesimal(s string) bool {
	parts := strings.Split(strings.TrimLeft(s, "+-"), ":")
	if len(parts) < 2 {
		return false
	}
	for _, p := range parts {
		if p == "" || strings.Trim(p, "0123456789._") != "" {
			return false
		}
	}
	return true
}

// needsQuotes reports whether a plain scalar would be read as YAML syntax.
func needsQuotes(s string) bool {
	if strings.ContainsRune("-?:,[]{}#&*!|>'\"%@`", rune(s[0])) {
		if !strings.ContainsRune("-?:", rune(s[0])) || len(s) == 1 || s[1] == ' ' {
			return true
		}
	}
	return s[0] == ' ' || s[len(s)-1] == ' ' || s[len(s)-1] == ':' || strings.Contains(s, ": ") || strings.Contains(s, " #") ||
		strings.HasPrefix(s, "---") || strings.HasPrefix(s, "...")
}
