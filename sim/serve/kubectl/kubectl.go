// Package kubectl is kubectl as a function: it turns a line into the requests that kubectl sends, and their answers into what
// kubectl prints. It also drafts requests for people who write them by hand, and copies a request as a command.
//
// Guarantee: for the kinds it knows, tables, YAML, JSON, JSONPath and the requests of get are those of kubectl, byte for
// byte; sim/conformance/clients runs both. Nothing here sends a request or reads a clock: a command is a sequence of steps, and its
// caller sends what a step asks for.
// Non-guarantee: there are three kinds and no files. A verb that kubectl gives a file opens the editor instead.
package kubectl

import (
	"bytes"
	"encoding/json"
	"errors"
	"iter"
	"strings"

	"github.com/leaselab/leaselab/core/wire"
)

// WireRequest is a request as it goes over the wire.
type WireRequest struct {
	Method  string   `json:"method"`
	Target  string   `json:"target"`  // path and query
	Headers []string `json:"headers"` // "Name: value"
	Body    string   `json:"body"`
}

// WireAnswer is what the server answers to a WireRequest.
type WireAnswer struct {
	Status  int      `json:"status"`
	Headers []string `json:"headers"` // "name: value"
	Body    string   `json:"body"`
}

// Block is something a command prints: columns, or a sentence, which may be broken anywhere.
type Block struct {
	Text  string `json:"text"`
	Prose bool   `json:"prose"`
}

// CommandParams begins a command with a line or a draft, or goes on with one by its number and what it waits for.
type CommandParams struct {
	Command int    `json:"command,omitempty"` // 0: a new one
	Line    string `json:"line,omitempty"`
	Draft   *Draft `json:"draft,omitempty"`
	AsItIs  bool   `json:"asItIs,omitempty"` // sends the draft's body without reading it

	Answer *WireAnswer `json:"answer,omitempty"`
	Frames []string    `json:"frames,omitempty"`
	JSON   string      `json:"json,omitempty"`
	Fault  string      `json:"fault,omitempty"` // in place of JSON: what is wrong with the YAML
}

// CommandStep is what a command prints and what it waits for. A command that waits for nothing has ended.
type CommandStep struct {
	Command int          `json:"command"`
	Blocks  []Block      `json:"blocks"`
	Ask     *WireRequest `json:"ask,omitempty"`    // waits for the Answer
	Follow  bool         `json:"follow,omitempty"` // waits for Frames of the watch that the last answer opened
	YAML    string       `json:"yaml,omitempty"`   // waits for it as JSON, or a Fault
	Draft   *Draft       `json:"draft,omitempty"`  // for the editor
	Error   string       `json:"error,omitempty"`  // what is wrong with the draft that was sent
	AsItIs  bool         `json:"asItIs,omitempty"` // the draft can be sent as it is
}

// Lease names the Lease that is meant when a line names none.
type Lease struct{ Namespace, Name string }

// FieldHelp explains a field of a kind.
type FieldHelp struct{ Kind, Field, Text string }

// Commands are the commands under way. The zero value is ready.
type Commands struct {
	Help []FieldHelp

	last     int
	commands map[int]*command
}

// Go begins a command, or goes on with one. The error names a command that has ended.
func (all *Commands) Go(p *CommandParams, lease Lease) (*CommandStep, error) {
	c := all.commands[p.Command]
	switch {
	case p.Command == 0:
		c = all.begin(p, lease)
	case c == nil:
		return nil, errors.New("This command has ended.")
	}
	c.given = *p
	step, _ := c.next()
	step.Command = c.number
	if c.follows = step.Follow; step.Ask == nil && !step.Follow && step.YAML == "" {
		all.end(c)
	}
	return step, nil
}

// begin starts a command. It ends the ones that follow a watch: the page follows one at a time.
func (all *Commands) begin(p *CommandParams, lease Lease) *command {
	for _, other := range all.commands {
		if other.follows {
			all.end(other)
		}
	}
	all.last++
	c := &command{number: all.last, lease: lease, help: all.Help}
	c.next, c.stop = iter.Pull(func(yield func(*CommandStep) bool) {
		c.yield = yield
		last := &CommandStep{}
		if p.Draft == nil {
			c.run(p.Line)
		} else {
			last.AsItIs = c.sendDraft(p.Draft, p.AsItIs)
		}
		if c.err == errStopped {
			return
		} else if c.err != nil && p.Draft != nil {
			last.Error = c.err.Error()
		} else if c.err != nil {
			c.blocks = append(c.blocks, Block{Text: c.err.Error(), Prose: true})
		}
		last.Draft, c.err = c.draft, nil
		c.wait(last)
	})
	if all.commands == nil {
		all.commands = map[int]*command{}
	}
	all.commands[c.number] = c
	return c
}

func (all *Commands) end(c *command) {
	c.stop()
	delete(all.commands, c.number)
}

// command is one command under way: a coroutine, which is suspended while it waits. After an error it sends and prints
// nothing more, so that only what decides by an answer need look at the error.
type command struct {
	number  int
	lease   Lease
	help    []FieldHelp
	follows bool
	given   CommandParams // for what it waited last
	blocks  []Block       // printed since the last step
	draft   *Draft
	err     error
	yield   func(*CommandStep) bool
	next    func() (*CommandStep, bool)
	stop    func()
}

// errStopped ends a command that nobody waits for.
var errStopped = errors.New("")

// wait hands out a step. It reports whether the command goes on.
func (c *command) wait(s *CommandStep) bool {
	if c.err != nil {
		return false
	}
	s.Blocks, c.blocks = append([]Block{}, c.blocks...), nil
	if !c.yield(s) {
		c.err = errStopped
	}
	return c.err == nil
}

func (c *command) fail(sentence string) {
	if c.err == nil {
		c.err = errors.New(sentence)
	}
}

func (c *command) print(text string) {
	if c.err == nil {
		c.blocks = append(c.blocks, Block{Text: text})
	}
}

func (c *command) say(text string) {
	if c.err == nil {
		c.blocks = append(c.blocks, Block{Text: text, Prose: true})
	}
}

// ask sends a request. An answer that is no success is an error, in kubectl's words.
func (c *command) ask(r WireRequest) *WireAnswer {
	if !c.wait(&CommandStep{Ask: &r}) || c.given.Answer == nil {
		return &WireAnswer{}
	}
	answer := c.given.Answer
	for _, warning := range warnings(answer.Headers) {
		c.say("Warning: " + warning)
	}
	if answer.Status >= 400 {
		c.fail(refusal(answer))
	}
	return answer
}

const (
	acceptJSON  = "Accept: application/json"
	acceptTable = "Accept: application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json"
)

// get reads an object, a list or a table.
func (c *command) get(target, accept string) wire.Map {
	return object(c.ask(WireRequest{Method: "GET", Target: target, Headers: []string{accept}}).Body)
}

// write sends an object or a patch, and returns what the server stored.
func (c *command) write(method, target, contentType string, body any) wire.Map {
	r := WireRequest{Method: method, Target: target, Headers: []string{acceptJSON}}
	if body != nil {
		r.Headers, r.Body = append(r.Headers, "Content-Type: "+contentType), encode(body)
	}
	return object(c.ask(r).Body)
}

func encode(value any) string { return string(wire.Encode(nil, value, nil)) }

// read returns a text as a value: JSON, or YAML, which the caller reads. Nothing is nil. asJSON is the same as it was typed, in
// its order. what names the text in errors.
func (c *command) read(text, what string) (value any, asJSON string) {
	begin := strings.TrimSpace(text)
	if begin == "" {
		return nil, ""
	}
	n, err := wire.Parse([]byte(text))
	if err != nil && (begin[0] == '{' || begin[0] == '[') {
		c.fail("The " + what + " is not JSON: " + err.Error() + ".")
	} else if err != nil && c.wait(&CommandStep{YAML: text}) {
		text = c.given.JSON
		if n, err = wire.Parse([]byte(text)); err != nil {
			c.fail("The " + what + " is not YAML. " + c.given.Fault)
		}
	}
	if c.err != nil {
		return nil, ""
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, []byte(text)); err != nil {
		panic(err) // it was parsed
	}
	return wire.Tree(n), compact.String()
}

// object returns a JSON object, an empty one for anything else.
func object(text string) wire.Map {
	n, err := wire.Parse([]byte(text))
	if err != nil {
		return wire.Map{}
	}
	m, _ := wire.Tree(n).(wire.Map)
	if m == nil {
		m = wire.Map{}
	}
	return m
}

// refusal is an answer that is an error, as kubectl prints it.
func refusal(a *WireAnswer) string {
	said := object(a.Body)
	if wire.Text(said, "kind") == "Status" {
		if reason := wire.Text(said, "reason"); reason != "" {
			return "Error from server (" + reason + "): " + wire.Text(said, "message")
		}
		return "Error from server: " + wire.Text(said, "message")
	}
	text := strings.TrimSpace(a.Body)
	if len(text) > 300 {
		text = strings.ToValidUTF8(text[:300], "")
	}
	return "Error from server: HTTP " + number(a.Status) + strings.TrimRight(": "+text, ": ")
}

// warnings returns the texts of the Warning headers: 299 - "text".
func warnings(headers []string) []string {
	var all []string
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ":")
		if !strings.EqualFold(name, "warning") {
			continue
		}
		if _, quoted, found := strings.Cut(value, `"`); found {
			var text strings.Builder
			for i := 0; i < len(quoted) && quoted[i] != '"'; i++ {
				if quoted[i] == '\\' && i+1 < len(quoted) {
					i++
				}
				text.WriteByte(quoted[i])
			}
			value = text.String()
		}
		all = append(all, value)
	}
	return all
}
