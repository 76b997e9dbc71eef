package words

import (
	"os/exec"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// An argument is itself after a shell has read it, and has quotes only where it needs them.
func TestShellArgument(t *testing.T) {
	for _, plain := range []string{"crash", "found/hunt-1.yaml", "elector.retryPeriod=1s", "ü.yaml", "100%", "a@b:c+d,e_f"} {
		assert.Equal(t, plain, ShellArgument(plain))
	}
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("it needs sh")
	}
	for _, text := range []string{"", "run ü ni's.yaml", "''", `a"b`, `a\b`, "$HOME", "`id`", "~", "a*b?", "a;b&c|d", "#v1.x", "a\nb", "(x)", "actions[0].at=1s", "{a,b}", "!x", "<>"} {
		read, err := exec.Command(sh, "-c", "printf %s "+ShellArgument(text)).Output()
		require.NoError(t, err, text)
		assert.Equal(t, text, string(read))
	}
}
