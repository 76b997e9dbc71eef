package lesson

import "strings"

// These functions check the forms of names and numbers without package regexp. With regexp, the engine that checks
// lessons in the page would be 5 % larger (1,432 instead of 1,367 kB compressed). Every visitor's browser downloads
// that engine.

// `all` reports whether a text is not empty and the function `fits` accepts all its bytes.
func all(text string, fits func(c byte) bool) bool {
	for i := range len(text) {
		if !fits(text[i]) {
			return false
		}
	}
	return text != ""
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
func isLower(c byte) bool { return c >= 'a' && c <= 'z' }
func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }

// isName reports whether a text consists of lower-case words with hyphens: "a-leader-dies".
func isName(text string) bool {
	for word := range strings.SplitSeq(text, "-") {
		if !all(word, func(c byte) bool { return isLower(c) || isDigit(c) }) {
			return false
		}
	}
	return isLower(text[0])
}

// isWord reports whether a text may be a name in braces, such as "tookAt".
func isWord(text string) bool {
	return all(text, func(c byte) bool { return isLower(c) || isUpper(c) || isDigit(c) }) && isLower(text[0])
}

// isLanguage reports whether a text is a language tag: "en" or "pt-BR".
func isLanguage(text string) bool {
	language, country, more := strings.Cut(text, "-")
	return all(language, isLower) && (len(language) == 2 || len(language) == 3) &&
		(!more || len(country) == 2 && all(country, isUpper))
}

// inBraces returns a sentence's names in braces, and the sentence without them. A closing brace belongs to the nearest
// opening one before it. Another check finds unmatched braces.
func inBraces(text string) (names []string, rest string) {
	for {
		end := strings.IndexByte(text, '}')
		if end < 0 {
			return names, rest + text
		}
		begin := strings.LastIndexByte(text[:end], '{')
		if begin < 0 {
			rest += text[:end+1]
		} else {
			names, rest = append(names, text[begin+1:end]), rest+text[:begin]
		}
		text = text[end+1:]
	}
}
