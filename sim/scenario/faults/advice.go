package faults

import (
	"regexp"
	"slices"
	"strings"

	"github.com/leaselab/leaselab/core/wire"
	"github.com/leaselab/leaselab/sim/scenario"
)

// acts are words that people try, and the act that does what they say.
var acts = map[string]string{
	"kill": "crash", "sigkill": "crash", "die": "crash", "exit": "crash",
	"sigterm": "stop", "terminate": "stop", "shutdown": "stop", "drain": "stop",
	"start": "restart", "boot": "restart",
	"freeze": "pause", "sigstop": "pause", "stall": "pause", "gc": "pause",
	"unpause": "resume", "continue": "resume", "sigcont": "resume", "thaw": "resume",
	"partition": "cut", "disconnect": "cut", "isolate": "cut", "offline": "cut",
	"reconnect": "heal", "connect": "heal", "online": "heal",
	"error": "fail", "outage": "fail", "slow": "latency", "delay": "latency", "skew": "clock", "drift": "clock",
	"join": "add", "scale": "add", "leave": "remove", "patch": "write", "edit": "write", "delete": "write", "rollingupdate": "upgrade",
}

var ofAction = regexp.MustCompile(`^(actions\[\d+\])\.(\w+)$`)

// advise returns the error's message, with the act that an unknown word means, or the fields of the act in place of all fields.
func (s *search) advise(e *scenario.FieldError) string {
	m := ofAction.FindStringSubmatch(e.Path)
	if m == nil || meant.MatchString(e.Message) {
		return e.Message
	}
	if word := acts[strings.ToLower(e.Value)]; m[2] == "act" && word != "" && scenario.ActNamed(e.Value) == nil {
		return e.Message + `; did you mean "` + word + `"?`
	}
	if !strings.HasPrefix(e.Rule, "unknown field") {
		return e.Message
	}
	given := member(s.find(m[1]).node, "act")
	if given == nil || given.Kind != wire.String {
		return e.Message
	}
	act := scenario.ActNamed(given.Text)
	if act == nil {
		return e.Message
	}
	fields := slices.Concat([]string{"at", "act"}, act.Takes)
	last := len(fields) - 1
	return e.Path + `: unknown field; act "` + act.Word + `" takes ` + strings.Join(fields[:last], ", ") + " and " + fields[last]
}
