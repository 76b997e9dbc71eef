package apiserver

import "strings"

// bodyMedia returns the media type of the body, JSON by default.
// Source: apiserver v0.36 pkg/endpoints/handlers/negotiation negotiate.go NegotiateInputSerializer.
func (r *Request) bodyMedia() (string, *failure) {
	header := r.Header["content-type"]
	if header == "" {
		return jsonMedia, nil
	}
	switch media := parseMedia(header); media {
	case jsonMedia, yamlMedia:
		return media, nil
	case protobufMedia:
		if r.Malformed != "" || !strings.HasPrefix(string(r.Body), protobufPrefix) {
			return media, nil
		}
	}
	return "", fail(415, "UnsupportedMediaType",
		"the body of the request was in an unknown format - accepted media types include: %s", accepted)
}

// protobufPrefix begins every protobuf object. The server refuses such a body because of its media type. Any other
// body of that media type gets upstream's error.
const protobufPrefix = "k8s\x00"

// parseMedia returns the media type of a Content-Type header, or "" if it is malformed. Source: mime.ParseMediaType.
func parseMedia(header string) string {
	media, params, has := strings.Cut(header, ";")
	media = strings.ToLower(strings.TrimSpace(media))
	kind, sub, _ := strings.Cut(media, "/")
	if !isToken(kind) || !isToken(sub) {
		return ""
	}
	seen := map[string]bool{}
	for has && strings.TrimSpace(params) != "" {
		name, value, fine := strings.Cut(strings.TrimLeft(params, " \t"), "=")
		if name = strings.ToLower(strings.TrimSpace(name)); !fine || !isToken(name) || seen[name] {
			return ""
		}
		seen[name] = true
		if !strings.HasPrefix(value, `"`) {
			value, params, has = strings.Cut(value, ";")
			if !isToken(strings.TrimSpace(value)) {
				return ""
			}
			continue
		}
		end := 1
		for end < len(value) && value[end] != '"' {
			if value[end] == '\\' {
				end++
			}
			end++
		}
		if end >= len(value) {
			return ""
		}
		value, params, has = strings.Cut(value[end+1:], ";")
		if strings.TrimSpace(value) != "" {
			return ""
		}
	}
	return media
}

// isToken reports whether a text is a token of RFC 9110.
func isToken(text string) bool {
	for i := range len(text) {
		if c := text[i]; c <= ' ' || c >= 0x7f || strings.IndexByte(`()<>@,;:\"/[]?=`, c) >= 0 {
			return false
		}
	}
	return text != ""
}
