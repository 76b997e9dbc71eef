package scenario

var controllersFields = []Field{
	{Key: "Controllers.electionDuration", Default: "5s"},
	{Key: "Controllers.requeue", Default: "5s"},
	{Key: "Controllers.leaseDuration", Default: "5s"},
	{Key: "Controllers.candidateValid", Default: "30m"},
	{Key: "Controllers.candidateRenew", Default: "5m"},
	{Key: "Controllers.collectEvery", Default: "30m"},
}
