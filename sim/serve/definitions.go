package serve

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/core/wire"
)

// Definitions reads the CustomResourceDefinitions for apiserver.Config.Definitions from the YAML and JSON files of a
// folder, or from one file. It skips other objects; "" means no folder. An error names the file, the field and the fix.
func Definitions(path string, now time.Time) (all []wire.Map, err error) {
	files := []string{path}
	if info, err := os.Stat(path); path != "" && err != nil {
		return nil, fmt.Errorf("--crds: %w; name a folder or a file with CustomResourceDefinitions", err)
	} else if path == "" || info.IsDir() {
		if files, err = filepath.Glob(filepath.Join(path, "*.[yj][as]*")); err != nil || path == "" {
			return nil, err
		}
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("--crds: %w; name files that leaselab may read", err)
		}
		documents, err := splitObjects(data)
		if err != nil {
			return nil, fmt.Errorf("--crds %s: the file must contain YAML or JSON: %w", file, err)
		}
		for i, document := range documents {
			n, err := wire.Parse(document)
			if err != nil {
				return nil, fmt.Errorf("--crds %s: document %d: %w; correct it, or leave it out", file, i+1, err)
			}
			o, _ := wire.Tree(n).(wire.Map)
			if wire.Text(o, "kind") != "CustomResourceDefinition" {
				continue
			}
			if o, err = apiserver.Definition(now, o); err != nil {
				return nil, fmt.Errorf("--crds %s: document %d: %w; correct this field, or leave the file out", file,
					i+1, err)
			}
			all = append(all, o)
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf(
			"--crds %s: no file here has a CustomResourceDefinition; name the folder that has them, such as "+
				"config/crd/bases", path)
	}
	return all, nil
}
