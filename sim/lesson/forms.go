package lesson

import (
	"regexp"

	"github.com/leaselab/leaselab/core/elements"
)

// The forms of names.
var (
	nameForm   = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`) // lower-case words with hyphens: "a-leader-dies"
	wordForm   = regexp.MustCompile(`^[a-z][a-zA-Z0-9]*$`)           // a name that may stand in braces: "tookAt"
	bracesForm = regexp.MustCompile(`\{([^{}]*)\}`)
)

// namesIn lists the names in braces of a sentence. A closing brace belongs to the nearest opening one.
func namesIn(sentence string) []string {
	return elements.Of(bracesForm.FindAllStringSubmatch(sentence, -1), func(found []string) string { return found[1] })
}
