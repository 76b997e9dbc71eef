package scenario

import (
	"encoding/json"
	"fmt"
	"reflect"
)

// DecodeActions reads recorded live acts, each a JSON object, as strictly as a scenario's acts, because links and
// stored sessions may contain anything. Validate checks whether they fit a scenario.
func DecodeActions(raw []json.RawMessage) ([]Action, error) {
	if len(raw) > MaxActions {
		return nil, refuseDocument(0, fmt.Sprintf("has %d actions; the limit is %d", len(raw), MaxActions))
	}
	actions := make([]Action, len(raw))
	for i, one := range raw {
		root, err := parse(one)
		if err != nil {
			return nil, err
		}
		at := place{path: fmt.Sprintf("actions[%d]", i), field: "Action"}
		if err := root.read(reflect.ValueOf(&actions[i]).Elem(), at); err != nil {
			return nil, err
		}
		normalize(reflect.ValueOf(&actions[i]).Elem())
	}
	return actions, nil
}
