package faults

import (
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
	"join": "add", "scale": "add", "leave": "remove", "patch": "write", "edit": "write", "delete": "write",
	"rollout": "rollingUpdate", "deploy": "rollingUpdate", "rollingupdate": "rollingUpdate",
}

// ofAction cuts "actions[3].for" into the action and the field. Both are empty for another path.
func ofAction(path string) (action, field string) {
	action, field, _ = strings.Cut(path, ".")
	if list, _, isEntry := cutIndex(action); !isEntry || list != "actions" || strings.ContainsAny(field, ".[\"") {
		return "", ""
	}
	return action, field
}

// advise returns the error's message, with the act that an unknown word means, or the fields of the act in place of all
// fields.
func (s *search) advise(e *scenario.FieldError) string {
	action, field := ofAction(e.Path)
	if field == "" || meant(e.Message) != "" {
		return e.Message
	}
	if word := acts[strings.ToLower(e.Value)]; field == "act" && word != "" && scenario.ActNamed(e.Value) == nil {
		return e.Message + `; did you mean "` + word + `"?`
	}
	if !strings.HasPrefix(e.Rule, "unknown field") {
		return e.Message
	}
	given := member(s.find(action).node, "act")
	if given == nil || given.Kind != wire.String {
		return e.Message
	}
	act := scenario.ActNamed(given.Text)
	if act == nil {
		return e.Message
	}
	fields := slices.Concat([]string{"at", "act"}, act.Takes)
	last := len(fields) - 1
	return e.Path + `: unknown field; act "` + act.Word + `" takes ` + strings.Join(fields[:last], ", ") + " and " +
		fields[last]
}
