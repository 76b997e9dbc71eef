package controllertest_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// outside is a user's module in a separate directory, beside this checkout.
type outside struct{ dir string }

// newOutside writes the go.mod of a module that resolves leaselab and this module by replace lines, and Kubernetes at the
// versions of this module.
func newOutside(t *testing.T) outside {
	t.Helper()
	here, err := os.Getwd()
	require.NoError(t, err)
	mod, err := os.ReadFile("go.mod")
	require.NoError(t, err)
	sum, err := os.ReadFile("go.sum")
	require.NoError(t, err)
	const own, root = "github.com/leaselab/leaselab/sim/electiontest/controllertest", "github.com/leaselab/leaselab"
	text := strings.Replace(string(mod), "module "+own, "module example.com/operator", 1)
	text = strings.Replace(text, "replace "+root+" => ../../..", "replace "+root+" => "+filepath.Join(here, "../../..")+"\nreplace "+own+" => "+here, 1)
	text += "\nrequire " + own + " v0.0.0\n"
	o := outside{dir: t.TempDir()}
	o.write(t, "go.mod", text)
	o.write(t, "go.sum", string(sum))
	return o
}

func (o outside) write(t *testing.T, name, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(filepath.Join(o.dir, name), []byte(text), 0o644))
}

// run runs a command in the module, without a network.
func (o outside) run(args ...string) (string, error) {
	c := exec.Command(args[0], args[1:]...)
	c.Dir = o.dir
	c.Env = append(os.Environ(), "GOPROXY=off", "GOFLAGS=-mod=mod", "GOWORK=off", "LEASELAB_DIR="+o.dir)
	out, err := c.CombinedOutput()
	return string(out), err
}

// tests runs all tests of the module, in all its packages, and returns the outcome of each, pass or fail, and what it printed.
func (o outside) tests(t *testing.T) (outcome, output map[string]string) {
	t.Helper()
	out, _ := o.run("go", "test", "-json", "-count=1", "./...") // fails if a test fails
	outcome, output = map[string]string{}, map[string]string{}
	for lines := bufio.NewScanner(bytes.NewReader([]byte(out))); lines.Scan(); {
		var e struct{ Action, Test, Output string }
		if json.Unmarshal(lines.Bytes(), &e) != nil {
			continue // what the compiler says
		}
		switch e.Action {
		case "pass", "fail":
			outcome[e.Test] = e.Action
		case "output":
			output[e.Test] += e.Output
		}
	}
	require.NotEmpty(t, outcome, "%s", out)
	return outcome, output
}
