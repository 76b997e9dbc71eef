package apiserver

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"strings"
)

// continueToken says where a list continues: after which key and at which revision. A negative revision means the
// current state. Source: apiserver v0.36 pkg/storage continue.go.
type continueToken struct {
	APIVersion      string `json:"v"`
	ResourceVersion int64  `json:"rv"`
	StartKey        string `json:"start"`
}

const continueVersion = "meta.k8s.io/v1"

// encodeContinue returns the token for a start key, which is relative to the list's prefix.
func encodeContinue(start string, revision int64) string {
	data, err := json.Marshal(continueToken{continueVersion, revision, start})
	if err != nil {
		panic(err) // two strings and a number always encode
	}
	return base64.RawURLEncoding.EncodeToString(data)
}

// decodeContinue parses a token. The result start is relative to the list's prefix and has no leading slash, so that a
// token cannot leave the prefix.
func decodeContinue(text string) (start string, revision int64, err error) {
	const invalid = "continue key is not valid"
	data, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return "", 0, fmt.Errorf("%s: %v", invalid, err)
	}
	var t continueToken
	if err := json.Unmarshal(data, &t); err != nil {
		// The error names the type with its package, and upstream's package has another name.
		return "", 0, fmt.Errorf("%s: %s", invalid,
			strings.Replace(err.Error(), "apiserver.continueToken", "storage.continueToken", 1))
	}
	switch {
	case t.APIVersion != continueVersion:
		return "", 0, fmt.Errorf("%s: server does not recognize this encoded version %s", invalid, t.APIVersion)
	case t.ResourceVersion == 0:
		return "", 0, errors.New(invalid + ": incorrect encoded start resourceVersion (version meta.k8s.io/v1)")
	case t.StartKey == "":
		return "", 0, errors.New(invalid + ": encoded start key empty (version meta.k8s.io/v1)")
	}
	key := t.StartKey
	if !strings.HasPrefix(key, "/") {
		key = "/" + key
	}
	if path.Clean(key) != key {
		return "", 0, fmt.Errorf("%s: %s", invalid, t.StartKey)
	}
	return key[1:], t.ResourceVersion, nil
}
