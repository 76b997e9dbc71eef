package kinds

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/core/wire"
)

// Definitions reads the CustomResourceDefinitions for apiserver.Config.Definitions from the YAML and JSON files of a
// folder, or from one file. It skips other objects; "" means no folder. An error names the file, the field and the fix.
func Definitions(path string, now time.Time) (all []wire.Map, err error) {
	if path == "" {
		return nil, nil
	}
	files := []string{path}
	if info, err := os.Stat(path); err != nil {
		return nil, fmt.Errorf("%w; name a folder or a file with CustomResourceDefinitions", err)
	} else if info.IsDir() {
		if files, err = filepath.Glob(filepath.Join(path, "*.[yj][as]*")); err != nil {
			return nil, err
		}
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("%w; name files that leaselab may read", err)
		}
		decoder := yaml.NewDecoder(bytes.NewReader(data))
		for document := 1; ; document++ {
			d, err := nextDefinition(decoder, now)
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				return nil, fmt.Errorf("%s: document %d: %w; correct it, or leave the file out", file, document, err)
			}
			if d != nil {
				all = append(all, d)
			}
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s has no CustomResourceDefinition; name the folder that has them, such as "+
			"config/crd/bases", path)
	}
	return all, nil
}

// nextDefinition reads the next document: a definition, or nil for any other object.
func nextDefinition(decoder *yaml.Decoder, now time.Time) (wire.Map, error) {
	var document any
	if err := decoder.Decode(&document); err != nil {
		return nil, err
	}
	data, err := json.Marshal(document)
	if err != nil {
		return nil, err
	}
	n, err := wire.Parse(data)
	if err != nil {
		return nil, err
	}
	o, _ := wire.Tree(n).(wire.Map)
	if wire.Text(o, "kind") != "CustomResourceDefinition" {
		return nil, nil
	}
	return apiserver.Definition(now, o)
}
