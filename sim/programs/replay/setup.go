package replay

import (
	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/core/wire"
	"github.com/leaselab/leaselab/sim/compile"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/serve/kinds"
	"github.com/leaselab/leaselab/sim/world"
	"github.com/leaselab/leaselab/sim/world/fencing"
	"github.com/leaselab/leaselab/sim/world/process"
)

// Serves is what an API server serves. A record contains it.
type Serves struct {
	Coordinated bool     `json:"coordinated,omitempty"` // the gate CoordinatedLeaderElection
	Versions    []string `json:"versions,omitempty"`    // served versions of coordination.k8s.io besides v1
	Core        bool     `json:"core,omitempty"`        // serves ConfigMaps and Events, too
	Kinds       bool     `json:"kinds,omitempty"`       // serves every kind of a cluster, too
	// CustomResourceDefinitions from the beginning, as apiserver.Definition returns them
	Definitions []wire.Map `json:"definitions,omitempty"`
}

// Everything returns what an API serves to real programs by default: everything, since they may ask for anything. A
// scenario with preferredStrategies needs the one API version that has that field.
func Everything(s *scenario.Scenario) *Serves {
	serves := &Serves{Coordinated: true, Versions: []string{"v1beta1", "v1alpha2"}, Core: true, Kinds: true}
	if scenario.Resolve(*s).PreferredStrategies {
		serves.Versions = []string{"v1alpha1"}
	}
	return serves
}

// Setup compiles a scenario for programs. Setup ignores the scenario's settings for electors and their work.
// `administered` means that clients other than candidates also write. `serves` says what the API server serves; nil
// means the same as in a simulation. The function `more` adds to the server's configuration, and may be nil.
func Setup(s scenario.Scenario, administered bool, serves *Serves, more func(*apiserver.Config)) *world.Setup {
	setup := compile.Scenario(s)
	setup.Resource = fencing.Settings{}
	setup.Administered = administered
	setup.ConfigureAPI = func(config *apiserver.Config) {
		config.KeptEvents = KeptVersions
		if serves != nil {
			config.Coordinated, config.Versions, config.Core = serves.Coordinated, serves.Versions, serves.Core
			config.Definitions = serves.Definitions
			if serves.Kinds {
				config.Kinds = kinds.BuiltIn()
			}
		}
		if more != nil {
			more(config)
		}
	}
	for k := range setup.Candidates {
		asProgram(&setup.Candidates[k])
	}
	for k := range setup.Controls {
		if c := setup.Controls[k].Candidate; c != nil {
			joins := *c
			asProgram(&joins)
			setup.Controls[k].Candidate = &joins
		}
	}
	return setup
}

// asProgram puts a program in the place of a simulated candidate.
func asProgram(c *world.Candidate) {
	c.Program, c.Client, c.BinaryVersion, c.ReadLagNs = true, world.Client{}, 0, 0
	p := c.Process
	c.Process = process.Settings{
		Restart: p.Restart, RestartAfterNs: p.RestartAfterNs, StartsAfterCrash: p.StartsAfterCrash,
		RestartAfterCrashNs: p.RestartAfterCrashNs,
		RestartBackoffMaxNs: p.RestartBackoffMaxNs, FreshIdentity: p.FreshIdentity,
	}
}
