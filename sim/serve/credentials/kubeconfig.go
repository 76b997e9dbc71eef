package credentials

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"sigs.k8s.io/yaml"
)

// Kubeconfig is a kubeconfig file with one context. Authority is PEM.
type Kubeconfig struct {
	Server, User, Token string
	Authority           []byte
}

// mark is the name of an extension in the file, by which Write recognizes its own files. A comment would not do,
// because other programs keep extensions but drop comments.
const mark = "leaselab.dev/serve"

// file is what leaselab reads of a kubeconfig file.
type file struct {
	Clusters, Contexts []any
	Users              []struct{ User struct{ Token string } }
	Extensions         []struct{ Name string }
}

// YAML returns the file.
func (k Kubeconfig) YAML() []byte {
	type object map[string]any
	data, err := yaml.Marshal(object{
		"apiVersion": "v1", "kind": "Config", "current-context": "leaselab",
		"clusters": []object{{"name": "leaselab",
			"cluster": object{"server": k.Server, "certificate-authority-data": k.Authority}}},
		"users": []object{{"name": k.User, "user": object{"token": k.Token}}},
		"contexts": []object{{"name": "leaselab",
			"context": object{"cluster": "leaselab", "namespace": "default", "user": k.User}}},
		"extensions": []object{{"name": mark, "extension": object{"user": k.User}}},
	})
	if err != nil {
		panic(err) // cannot happen: texts and bytes always encode
	}
	return data
}

// Write writes the file at a path, readable only by its owner. It replaces an existing file only if an earlier Write
// created that file and nobody has added to it since.
func (k Kubeconfig) Write(path string) error {
	if err := Writable(path); err != nil {
		return err
	}
	if to, err := filepath.EvalSymlinks(path); err == nil {
		path = to // the link stays
	}
	temporary, err := os.CreateTemp(filepath.Dir(path), ".leaselab-*") // with mode 0600
	if err != nil {
		return fmt.Errorf("--kubeconfig %s: %w", path, err)
	}
	defer os.Remove(temporary.Name())
	_, err = temporary.Write(k.YAML())
	if err := errors.Join(err, temporary.Close()); err != nil {
		return fmt.Errorf("--kubeconfig %s: %w", path, err)
	}
	if err := os.Rename(temporary.Name(), path); err != nil {
		return fmt.Errorf("--kubeconfig %s: %w", path, err)
	}
	return nil
}

// Writable returns an error if Write would refuse to write at a path.
func Writable(path string) error {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Stat(filepath.Dir(path)); err != nil {
			return fmt.Errorf("--kubeconfig %s: create the folder first: %w", path, err)
		}
		if to, err := os.Readlink(path); err == nil {
			return fmt.Errorf("--kubeconfig %s is a link to %s, which is missing; name that file", path, to)
		}
		return nil
	}
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("this is not a regular file; name a file")
	}
	if err != nil {
		return fmt.Errorf("--kubeconfig %s: %w", path, err)
	}
	if _, own := read(path); !own {
		return fmt.Errorf(
			"--kubeconfig %s: leaselab serve did not write this file, or another program has changed it, so leaselab "+
				"left it alone; name another file or move this one", path)
	}
	return nil
}

// TokenAt returns the token in a file that Write has written, so that clients with that file still work after a
// restart of the server. Without such a file it returns a new token.
func TokenAt(path string) string {
	if f, own := read(path); own && f.Users[0].User.Token != "" {
		return f.Users[0].User.Token
	}
	return Token()
}

// read returns a kubeconfig file. The result own is true if Write created the file and nobody has added to it since.
func read(path string) (f file, own bool) {
	data, err := os.ReadFile(path)
	if err != nil || yaml.Unmarshal(data, &f) != nil {
		return f, false
	}
	own = len(f.Clusters) == 1 && len(f.Users) == 1 && len(f.Contexts) == 1 && len(f.Extensions) == 1 &&
		f.Extensions[0].Name == mark
	return f, own
}

// PathOf returns the path of a node's kubeconfig, next to the administrator's: lab-a.yaml next to lab.yaml.
func PathOf(path, node string) string {
	extension := filepath.Ext(path)
	return strings.TrimSuffix(path, extension) + "-" + node + extension
}
