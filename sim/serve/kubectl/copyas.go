package kubectl

import (
	"strings"
	"unicode"

	"github.com/leaselab/leaselab/core/apiserver"
)

// address is where `kubectl proxy` and `leaselab serve` listen.
const address = "http://127.0.0.1:8001"

// atServer begins a copied command. It names the server, so that a pasted command never writes into the cluster of the
// reader's own context.
const atServer = "kubectl --server " + address

// Copies is a request as commands of other programs.
type Copies struct {
	Curl    string `json:"curl"`
	Kubectl string `json:"kubectl"`
}

// Copy returns the commands that send a request. Whatever the request holds is data for them: no part of it is run, ends its
// command or is taken for a flag.
func Copy(r *WireRequest) *Copies { return &Copies{Curl: asCurl(r), Kubectl: asKubectl(r)} }

// isControl finds what a terminal may take for a key when it is pasted, and what no shell can hold: every control character but
// tab and newline.
func isControl(c rune) bool { return unicode.IsControl(c) && c != '\t' && c != '\n' }

func hasControl(text string) bool { return strings.ContainsFunc(text, isControl) }

// quote returns a text as one word of a shell.
func quote(text string) string {
	plain := text != "" && text[0] != '='
	for i := range len(text) {
		c := text[i]
		plain = plain && (isLetter(c) || isDigit(c) || strings.IndexByte("_@%+=:,./-", c) >= 0)
	}
	if plain {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// header returns the value of a header, "" if there is none.
func header(headers []string, name string) string {
	for _, h := range headers {
		if n, value, _ := strings.Cut(h, ":"); strings.EqualFold(n, name) {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// isHeader reports whether a text is a header. Any other might name a file: @secrets.
func isHeader(text string) bool {
	name, _, found := strings.Cut(text, ":")
	for i := range len(name) {
		found = found && (isLetter(name[i]) || isDigit(name[i]) || strings.IndexByte("_!#$%&'*+.^`|~-", name[i]) >= 0)
	}
	return found && name != ""
}

// oneLine escapes what would end a line.
func oneLine(text string) string {
	var out strings.Builder
	for _, c := range text {
		if unicode.IsControl(c) || c == '\u2028' || c == '\u2029' {
			out.WriteString(escape(string(c), "%20"))
		} else {
			out.WriteRune(c)
		}
	}
	return out.String()
}

// onServer is a target on one line, which cannot name another server.
func onServer(target string) string { return oneLine("/" + strings.TrimPrefix(target, "/")) }

// piped returns a command that gets a text as its input, byte for byte.
func piped(text, command string) string {
	var out strings.Builder
	for _, c := range text {
		switch {
		case c == '\\':
			out.WriteString(`\\`)
		case isControl(c):
			for _, b := range []byte(string(c)) {
				out.Write([]byte{'\\', '0', '0' + b>>6, '0' + b>>3&7, '0' + b&7})
			}
		default:
			out.WriteRune(c)
		}
	}
	return "printf %b " + quote(out.String()) + " | " + command
}

// fromInput returns a command that reads a body from its input. The word that ends the body is in none of its lines.
func fromInput(command, body string) string {
	if hasControl(body) {
		return piped(body, command+" -f -")
	}
	word := "EOF"
	for n := 2; strings.Contains(body, word); n++ {
		word = "EOF" + number(n)
	}
	return command + " -f - <<'" + word + "'\n" + strings.TrimSuffix(body, "\n") + "\n" + word
}

func asCurl(r *WireRequest) string {
	target := onServer(r.Target)
	path, _, _ := strings.Cut(target, "?")
	_, query, _ := apiserver.ParseTarget(target)
	words := []string{"curl"}
	if truth(query, "watch") {
		words = append(words, "-N")
	}
	if strings.ContainsAny(target, "[]{}") { // no list of addresses
		words = append(words, "-g")
	}
	if strings.Contains(path+"/", "/./") || strings.Contains(path+"/", "/../") { // no part of the path is left out
		words = append(words, "--path-as-is")
	}
	if r.Method == "HEAD" {
		words = append(words, "-I")
	} else if r.Method != "GET" || r.Body != "" {
		words = append(words, "-X", quote(oneLine(r.Method)))
	}
	lines := []string{strings.Join(append(words, quote(address+target)), " ")}
	for _, h := range r.Headers {
		if isHeader(h) && !hasControl(h) {
			lines = append(lines, "-H "+quote(h))
		}
	}
	given := hasControl(r.Body)
	switch {
	case given:
		lines = append(lines, "--data-binary @-")
	case strings.HasPrefix(r.Body, "@"):
		lines = append(lines, "--data-raw "+quote(trimEnd(r.Body)))
	case r.Body != "":
		lines = append(lines, "--data-binary "+quote(trimEnd(r.Body)))
	}
	command := strings.Join(lines, " \\\n  ")
	if given {
		return piped(r.Body, command)
	}
	return command
}

func trimEnd(text string) string { return strings.TrimRightFunc(text, unicode.IsSpace) }

// isName reports whether an object can have a name. Any other might be a flag of kubectl: --all.
func isName(name string) bool {
	fine := name == "" || name[0] != '-' && name[0] != '.' && name[len(name)-1] != '-' && name[len(name)-1] != '.'
	for i := range len(name) {
		c := name[i]
		fine = fine && (c >= 'a' && c <= 'z' || isDigit(c) || c == '-' || c == '.')
	}
	return fine
}

// asKubectl returns the kubectl command that sends a request. What kubectl has no verb for is sent raw.
func asKubectl(r *WireRequest) string {
	at, query, ok := readTarget(r.Target)
	if !ok || !isName(at.name) || !isName(at.namespace) || !isName(at.kind.version) || strings.Contains(r.Target, "/namespaces//") {
		return raw(r)
	}
	for _, p := range query {
		if hasControl(p.Value) {
			return raw(r)
		}
	}
	what := at.kind.plural
	if at.name != "" {
		what = at.kind.singular()
	}
	if at.kind.name == "LeaseCandidate" {
		what += "." + at.kind.version + "." + at.kind.group
	}
	words := func(verb string, more ...string) string {
		line := atServer + " " + verb
		for _, word := range more {
			if word != "" {
				line += " " + word
			}
		}
		return line
	}
	with := func(flag, parameter string) string {
		if given := value(query, parameter); given != "" {
			return flag + quote(given)
		}
		return ""
	}
	inside := ""
	if at.namespace != "" {
		inside = "-n " + quote(at.namespace)
	} else if at.kind.namespaced {
		inside = "-A"
	}
	labels, fields := with("-l ", "labelSelector"), with("--field-selector ", "fieldSelector")
	manager, dry := with("--field-manager=", "fieldManager"), ""
	if value(query, "dryRun") != "" {
		dry = "--dry-run=server"
	}
	on := func(parameter, flag string) string {
		if truth(query, parameter) {
			return flag
		}
		return ""
	}
	switch r.Method {
	case "GET":
		return words("get", what, at.name, inside, labels, fields, on("watch", "-w"), "-o yaml")
	case "POST":
		return fromInput(words("create", inside, manager, dry), r.Body)
	case "PUT":
		return fromInput(words("replace", inside, manager, dry), r.Body)
	case "DELETE":
		all := ""
		if at.name+labels+fields == "" {
			all = "--all"
		}
		return words("delete", what, at.name, inside, labels, fields, all, manager, dry)
	case "PATCH":
		contentType, _, _ := strings.Cut(header(r.Headers, "content-type"), ";")
		if strings.HasPrefix(contentType, "application/apply-patch") {
			return fromInput(words("apply --server-side", inside, manager, dry, on("force", "--force-conflicts")), r.Body)
		}
		for form, of := range patchTypes {
			if of != contentType {
				continue
			}
			patch := words("patch", what, at.name, inside, "--type="+form, manager, dry)
			if hasControl(r.Body) {
				return piped(r.Body, patch+" --patch-file /dev/stdin")
			}
			return patch + " -p " + quote(trimEnd(r.Body))
		}
	}
	return raw(r)
}

// raw returns the kubectl command that sends a request by its path.
func raw(r *WireRequest) string {
	verb := map[string]string{"GET": "get", "POST": "create", "PUT": "replace", "DELETE": "delete"}[r.Method]
	path := quote(onServer(r.Target))
	if verb == "" { // in quotes, because a shell may take a comment for a command, as zsh does at its prompt
		return "# kubectl has no command for " + quote(oneLine(r.Method)) + " " + path + ", use curl."
	}
	command := atServer + " " + verb + " --raw " + path
	if r.Body == "" {
		return command
	}
	return fromInput(command, r.Body)
}
