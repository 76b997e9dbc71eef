// Package replay is a world of real programs without the programs. It has the world's setup, the path of requests
// into the world, and the calls that make up a run. A [Tape] holds the calls of a record and repeats them any number
// of times. As the timeline.Outside of a run, it lets a session show the run at any instant.
//
// A record is a file of lines. The first line has the scenario. Each further line has a call, with its instant and the
// number of steps that the world took since the previous call:
//
//	{"record":"leaselab.dev/record/v1","engine":...,"scenario":{...}}
//	{"at":2000000000,"steps":14,"do":"request","node":"a","number":7,"method":"PUT","path":"/apis/...","body":"..."}
//	{"at":2003000000,"steps":2,"do":"leads","node":"a"}
//	{"at":60000000000,"steps":31,"do":"end","hash":"..."}
//
// A head is one run's position on the tape. It lets the world take the stated number of steps, then performs the
// call, and so on. The first run that gets to a request works out the request's effect on the objects. The tape keeps
// this effect, and later runs only repeat it. So jumping around in a long record stays fast.
//
// Guarantee: a tape produces the trace of the recorded run, and checks its hash wherever the record has one.
// Non-guarantee: a tape keeps all calls in memory, and does not decode YAML in a request's body. An error names the
// line of the record. The tape ends before that line, and the run up to there stays usable.
package replay
