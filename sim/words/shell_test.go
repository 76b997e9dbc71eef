package words

import (
	"os/exec"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A shell reads back the original argument.
func TestShellArgument(t *testing.T) {
	assert.Equal(t, "my-1.yaml", ShellArgument("my-1.yaml"))
	assert.Equal(t, `'ü ni'\''s.yaml'`, ShellArgument("ü ni's.yaml"))
	if runtime.GOOS != "linux" {
		return
	}
	for _, text := range []string{"", "a b", "ü ni's.yaml", "$(date)", "a;b", `back\slash`, `"quoted"`, "*", "~", "a\nb", "o d/hunt-1.yaml", "!x", "#v1"} {
		out, err := exec.Command("sh", "-c", "printf %s "+ShellArgument(text)).Output()
		require.NoError(t, err)
		assert.Equal(t, text, string(out))
	}
}
