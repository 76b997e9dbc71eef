package rebuild

import (
	"fmt"
	"strings"

	"github.com/leaselab/leaselab/sim/evidence"
)

// nameMost is the length of the longest name of a candidate in a scenario. An identity has no limit: client-go's
// default, HOSTNAME_UUID, needs 37 characters beside the pod's name.
const nameMost = 63

// alias gives each holder a name that a scenario accepts, in place, and returns a sentence for each name that differs.
// The name is the identity without its UUID, if no other holder has that name, or else the identity's first
// characters and a number.
func alias(terms []evidence.Term) (sentences []string) {
	names, taken := map[string]string{}, map[string]bool{}
	for i := range terms {
		if who := terms[i].Holder; nameOf(who) == who {
			names[who], taken[who] = who, true
		}
	}
	for i := range terms {
		who := terms[i].Holder
		name, known := names[who]
		if !known {
			short := nameOf(who)
			if at := strings.LastIndexByte(who, '_'); at > 0 {
				short = nameOf(who[:at])
			}
			name = short
			for n := 2; taken[name]; n++ {
				ending := fmt.Sprintf("-%d", n)
				name = short[:min(len(short), nameMost-len(ending))] + ending
			}
			names[who], taken[name] = name, true
			sentences = append(sentences, fmt.Sprintf("The scenario calls %s %s: a name has at most %d characters, "+
				"which are letters, digits, -, _ and dots.", who, name, nameMost))
		}
		terms[i].Holder = name
	}
	return sentences
}

// nameOf replaces what a scenario's name cannot have, and cuts it.
func nameOf(identity string) string {
	const ends = "-_."
	name := strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune(ends, c) {
			return c
		}
		return '-'
	}, identity)
	name = strings.Trim(name, ends)
	name = strings.TrimRight(name[:min(len(name), nameMost)], ends)
	if name == "" {
		return "candidate"
	}
	return name
}
