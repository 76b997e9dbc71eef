package scenario

// The words a scenario may use.
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

	FullRefuse = "http429"
	FullDrop   = "drop"
)
