package evidence

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The code uses each entry of sentences.txt, and nothing that has no entry. Each gives the values of its sentence.
func TestSentencesAndCodeAgree(t *testing.T) {
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	code := ""
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		if !strings.HasSuffix(file, "_test.go") {
			code += string(text)
		}
	}
	all := conclusions()
	require.Len(t, all, strings.Count(sentenceLines, "\n\n")+1, "no name twice")
	causes := []string{causeCrash, causePause, causePartition, causeRelease, causeSlow, causeEarly, causeDeleted, causeEdited, causeServer}
	for name, one := range all {
		assert.Contains(t, code, `"`+name+`"`)
		if one.cause == "" {
			assert.NotEmpty(t, one.says, name)
			continue
		}
		assert.Greater(t, one.confidence, 0.0, name)
		assert.Subset(t, causes, append([]string{one.cause}, one.alternatives...), name)
	}
	for _, call := range regexp.MustCompile(`(?s)g\.tell\("(\w+)",(.*?)\)\n`).FindAllStringSubmatch(code, -1) {
		require.Contains(t, all, call[1])
		for _, value := range regexp.MustCompile(`\$(\w+)`).FindAllStringSubmatch(all[call[1]].says, -1) {
			if known := "old new last begins at"; !strings.Contains(known, value[1]) {
				assert.Contains(t, call[2], `"`+value[1]+`"`, call[1])
			}
		}
	}
	for _, call := range regexp.MustCompile(`(?:conclude|sentence|limit|silence)\(\s*"(\w+)"`).FindAllStringSubmatch(code, -1) {
		assert.Contains(t, all, call[1])
	}
}
