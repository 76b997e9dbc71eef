package scenario

// actsMeant maps words that people try to the act that they mean. The distance between words does not help here:
// "kill" and "crash" have no letter in common.
var actsMeant = map[string]string{
	"kill": "crash", "sigkill": "crash", "die": "crash", "exit": "crash",
	"sigterm": "stop", "terminate": "stop", "shutdown": "stop", "drain": "stop",
	"start": "restart", "boot": "restart",
	"freeze": "pause", "sigstop": "pause", "stall": "pause", "gc": "pause",
	"unpause": "resume", "continue": "resume", "sigcont": "resume", "thaw": "resume",
	"partition": "cut", "disconnect": "cut", "isolate": "cut", "offline": "cut",
	"reconnect": "heal", "connect": "heal", "online": "heal",
	"error": "fail", "outage": "fail", "slow": "latency", "delay": "latency", "skew": "clock", "drift": "clock",
	"join": "add", "scale": "add", "leave": "remove", "patch": "write", "edit": "write", "delete": "write",
	"rollout": "rollingUpdate", "deploy": "rollingUpdate",
}

// The words a scenario may use. If leaving out the field means "none", the word for "none" is the empty text, as for
// RestartNever.
const (
	StreamsNamed    = "named"
	StreamsRecorded = "recorded"

	RestartNever = ""
	RestartNew   = "new"
	RestartSame  = "same"

	LeaderNobody = "nobody"

	CandidateV1beta1  = "v1beta1"
	CandidateV1alpha1 = "v1alpha1"

	NilHolderCrash    = "crash"
	NilHolderIntended = "intended"

	TiesFlap = "flap"

	FullRefuse = "http429"
	FullDrop   = "drop"
)
