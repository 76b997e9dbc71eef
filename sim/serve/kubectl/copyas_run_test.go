//go:build !js

package kubectl

import (
	"bytes"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// hostile are texts that have ended a command, or begun another.
var hostile = []string{
	`{"kind":"Lease"}`,
	"{\"a\":1}\nEOF\ntouch here\n",
	"EOF\nEOF2\nEOF3\ntouch here",
	"<<'EOF2'\nEOF",
	"EOF\r\ntouch here\r\n",
	`it's "so", '$(touch here)'`,
	"$(touch here) `touch here` $HOME $PATH !! \\n \\",
	"a; touch here & touch here | touch here > here",
	"'; touch here; '",
	"# no comment\n\n\ntouch here",
	"-x", "--all", "--raw", "@/etc/hostname", `%s %d %n \0101 \x41`, "*", "=ls", "~",
	"a\tb",
	"grün 领导者 🗳️ \u2028touch here",
	"\x1b[201~\ntouch here\n",
	"a\x00b\a\x7f\u009b201~\\033",
}

// shell runs copied commands in one shell, before stubs that record what they are given.
type shell struct {
	name, programs, record, elsewhere string
}

func shells(t *testing.T, run func(*testing.T, *shell)) {
	home := t.TempDir()
	s := &shell{programs: filepath.Join(home, "programs"), record: filepath.Join(home, "record"), elsewhere: filepath.Join(home, "elsewhere")}
	for _, folder := range []string{s.programs, s.record, s.elsewhere} {
		require.NoError(t, os.Mkdir(folder, 0o755))
	}
	for _, name := range []string{"kubectl", "curl", "use"} {
		stub := "#!/bin/sh\nprintf '%s\\0' " + name + " \"$@\" >> " + s.record + "/argv\ncat > " + s.record + "/stdin\n"
		require.NoError(t, os.WriteFile(filepath.Join(s.programs, name), []byte(stub), 0o755))
	}
	ran := 0
	for _, name := range []string{"sh", "bash", "zsh"} {
		if path, err := exec.LookPath(name); err == nil {
			s.name = path
			t.Run(name, func(t *testing.T) { run(t, s) })
			ran++
		}
	}
	assert.Positive(t, ran, "there is a shell")
}

// run runs a command. It must be one program that runs once or none, and nothing else may have happened.
func (s *shell) run(t *testing.T, command string) (argv []string, input string) {
	t.Helper()
	for _, left := range []string{"argv", "stdin"} {
		_ = os.Remove(filepath.Join(s.record, left))
	}
	c := exec.Command(s.name, "-c", command)
	c.Dir = s.elsewhere
	c.Env = append(os.Environ(), "PATH="+s.programs+":"+os.Getenv("PATH"))
	var said bytes.Buffer
	c.Stdout, c.Stderr = &said, &said
	require.NoError(t, c.Run(), "%s: %s", command, &said)
	require.Empty(t, said.String(), command)
	others, err := os.ReadDir(s.elsewhere)
	require.NoError(t, err)
	require.Empty(t, others, "something else was run: %s", command)
	given, err := os.ReadFile(filepath.Join(s.record, "argv"))
	if err != nil {
		return nil, ""
	}
	stdin, _ := os.ReadFile(filepath.Join(s.record, "stdin"))
	argv = strings.Split(string(given), "\x00")
	return argv[:len(argv)-1], string(stdin)
}

// kubectl runs a request as it is copied for kubectl, and returns its words after the server.
func (s *shell) kubectl(t *testing.T, r *WireRequest) (words []string, input string) {
	t.Helper()
	argv, input := s.run(t, Copy(r).Kubectl)
	require.Equal(t, []string{"kubectl", "--server", address}, argv[:3])
	return argv[3:], input
}

// ended is a body as a here-document gives it.
func ended(text string) string {
	if hasControl(text) || strings.HasSuffix(text, "\n") {
		return text
	}
	return text + "\n"
}

func TestCopiedBodiesAreData(t *testing.T) {
	shells(t, func(t *testing.T, s *shell) {
		for _, text := range hostile {
			for method, verb := range map[string]string{"POST": "create", "PUT": "replace"} {
				words, input := s.kubectl(t, request(method, leases, text, ""))
				assert.Equal(t, []string{verb, "-n", "default", "-f", "-"}, words)
				assert.Equal(t, ended(text), input)
			}
			words, input := s.kubectl(t, request("POST", "/version", text, ""))
			assert.Equal(t, []string{"create", "--raw", "/version", "-f", "-"}, words)
			assert.Equal(t, ended(text), input)
			words, input = s.kubectl(t, request("PATCH", leases+"/demo?fieldManager=me", text, "application/apply-patch+yaml"))
			assert.Equal(t, []string{"apply", "--server-side", "-n", "default", "--field-manager=me", "-f", "-"}, words)
			assert.Equal(t, ended(text), input)

			words, input = s.kubectl(t, request("PATCH", leases+"/demo", text, patchTypes["merge"]))
			argv, data := s.run(t, Copy(request("POST", leases, text, "")).Curl)
			what, posts := []string{"patch", "lease", "demo", "-n", "default", "--type=merge"}, []string{"curl", "-X", "POST", address + leases}
			flag := "--data-binary"
			if strings.HasPrefix(text, "@") {
				flag = "--data-raw"
			}
			if hasControl(text) {
				assert.Equal(t, append(what, "--patch-file", "/dev/stdin"), words)
				assert.Equal(t, append(posts, "--data-binary", "@-"), argv)
				assert.Equal(t, []string{text, text}, []string{input, data})
			} else {
				assert.Equal(t, append(what, "-p", trimEnd(text)), words)
				assert.Equal(t, append(posts, flag, trimEnd(text)), argv)
				assert.Equal(t, []string{"", ""}, []string{input, data})
			}
		}
	})
}

func TestCopiedQueriesAreWords(t *testing.T) {
	shells(t, func(t *testing.T, s *shell) {
		for _, text := range hostile {
			if hasControl(text) {
				continue
			}
			given := url.QueryEscape(text)
			words, _ := s.kubectl(t, request("GET", leases+"?labelSelector="+given+"&fieldSelector="+given, "", ""))
			assert.Equal(t, []string{"get", "leases", "-n", "default", "-l", text, "--field-selector", text, "-o", "yaml"}, words)
			words, _ = s.kubectl(t, request("POST", leases+"?fieldManager="+given, "{}", ""))
			assert.Equal(t, []string{"create", "-n", "default", "--field-manager=" + text, "-f", "-"}, words)
		}
	})
}

// A name, a namespace or a version that no object has is sent raw, and is no flag.
func TestCopiedPathsAreWords(t *testing.T) {
	const group = "/apis/coordination.k8s.io"
	shells(t, func(t *testing.T, s *shell) {
		for _, text := range hostile {
			word := strings.NewReplacer("/", "", "?", "", "#", "").Replace(text)
			for _, target := range []string{leases + "/" + word, group + "/v1/namespaces/" + word + "/leases", group + "/" + word + "/namespaces/default/leasecandidates"} {
				words, _ := s.kubectl(t, request("DELETE", target, "", ""))
				require.Equal(t, []string{"delete", "--raw", onServer(target)}, words)
				argv, _ := s.run(t, Copy(request("GET", target, "", "")).Curl)
				assert.Equal(t, address+onServer(target), argv[len(argv)-1])
			}
		}
		nobody := group + "/v1/namespaces//leases"
		words, _ := s.kubectl(t, request("DELETE", nobody, "", ""))
		assert.Equal(t, []string{"delete", "--raw", nobody}, words, "not those of every namespace")
	})
}

// A method and a header are words, and a comment stays one.
func TestCopiedMethodsAreWords(t *testing.T) {
	shells(t, func(t *testing.T, s *shell) {
		for _, text := range hostile {
			r := &WireRequest{Method: text, Target: "/version", Headers: []string{text, "X-Text: " + text}}
			argv, _ := s.run(t, Copy(r).Curl)
			assert.Equal(t, []string{"curl", "-X", oneLine(text)}, argv[:3])
			if hasControl(text) {
				assert.Len(t, argv, 4)
			} else {
				assert.Equal(t, []string{"-H", "X-Text: " + text}, argv[4:])
			}
			for _, target := range []string{"/version?" + text, text} {
				for _, method := range []string{"PATCH", text} {
					argv, _ := s.run(t, Copy(request(method, target, "", "")).Kubectl)
					assert.Empty(t, argv, "nothing runs")
				}
			}
		}
	})
}
