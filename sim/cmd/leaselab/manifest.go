package main

import (
	"cmp"
	"fmt"
	"path/filepath"
	"regexp"

	"github.com/spf13/cobra"

	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
	"github.com/leaselab/leaselab/sim/study"
	"github.com/leaselab/leaselab/sim/study/manifest"
)

// imageCommand is `leaselab sweep image`: it prints a Dockerfile, for the pods of `leaselab sweep manifest`.
func imageCommand() *cobra.Command {
	return &cobra.Command{
		Use: "image", Short: "Print a Dockerfile for an image that contains only leaselab",
		Args: takes(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprint(cmd.OutOrStdout(), manifest.Dockerfile)
			return err
		},
	}
}

// manifestCommand is `leaselab sweep manifest`: it prints an Indexed Job with one pod per shard. It also prints a
// ConfigMap with the scenario, unless the scenario is a shipped one. It contacts no cluster; the user reads the objects
// and then applies them.
//
// A large sweep takes four steps. First, manifest writes the Job. Each pod runs `leaselab sweep --shard N --resume
// FILE`. The user copies the files from the volume, and merge prints the rows. A pod that Kubernetes evicts starts
// again and continues from its file.
func manifestCommand() *cobra.Command {
	var f sweepFlags
	j := manifest.Job{}
	c := &cobra.Command{
		Use:               "manifest SCENARIO --set PATH=VALUES … --shards N --image IMAGE",
		Short:             "Write a Kubernetes Indexed Job that runs a sweep, one shard per pod",
		Args:              aScenario,
		ValidArgsFunction: completeScenarios(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			text, err := f.job(&j, args[0])
			if err != nil {
				return err
			}
			_, err = fmt.Fprint(cmd.OutOrStdout(), text)
			return err
		},
	}
	f.plan(c)
	c.Flags().IntVar(&j.Shards, "shards", 0, "the number of shards, one pod each")
	c.Flags().IntVar(&j.Parallel, "parallel", 0, "how many pods run at a time (default: all shards)")
	c.Flags().StringVar(&j.Image, "image", "",
		"the `IMAGE` of leaselab; leaselab sweep image prints its Dockerfile")
	c.Flags().StringVar(&j.Claim, "claim", "leaselab-results",
		"the PersistentVolumeClaim for the files of runs; if pods run on several nodes, it must be ReadWriteMany")
	c.Flags().StringVar(&j.Name, "name", "", "the name of the Job (default: sweep- and the scenario's name)")
	c.Flags().StringVar(&j.Namespace, "namespace", "", "the namespace of the objects (default: kubectl's)")
	c.Flags().StringVar(&j.CPU, "cpu", "1", "the CPU request of each pod")
	return c
}

// job checks the sweep as `leaselab sweep` does, and returns the manifest. So a mistake in --set shows up now, and
// not later in the logs of a hundred pods. It checks shard 0, since no other shard has more runs. The pods' arguments
// leave out --shard and --resume, because package manifest adds them.
func (f *sweepFlags) job(j *manifest.Job, arg string) (string, error) {
	if j.Image == "" {
		return "", fmt.Errorf("--image is missing: name an image; `leaselab sweep image` prints its Dockerfile")
	}
	if j.Shards == 0 {
		return "", fmt.Errorf("--shards is missing: give the number of pods, such as --shards 7")
	}
	w, err := f.study(arg)
	if err != nil {
		return "", err
	}
	s := w.scenario
	f.shard, f.kept.file = study.Shard{Of: j.Shards}.String(), "0.runs" // the largest shard
	if _, err := f.shardOf(w); err != nil {
		return "", err
	}
	j.Parallel = cmp.Or(j.Parallel, min(j.Shards, manifest.MaxParallel))
	j.Name = cmp.Or(j.Name, manifest.Name("sweep-"+nameOr(s.Name)))
	named := arg
	if _, is := shipped.ByName(arg); !is {
		named = fileInPod(arg, &s)
		j.ScenarioFile, j.Scenario = named, append(scenario.EncodeIndent(s), '\n')
	}
	j.Arguments = []string{"sweep", named, fmt.Sprintf("--seeds=%d..%d", w.First, w.First+uint64(w.Seeds)-1)}
	for _, set := range f.sets {
		j.Arguments = append(j.Arguments, "--set="+set)
	}
	if f.varyPhase {
		j.Arguments = append(j.Arguments, "--vary-phase")
	}
	text, err := j.YAML()
	if err != nil {
		return "", fmt.Errorf("--%w", err)
	}
	return text, nil
}

// keyOfConfigMap matches the names that a scenario's file may have in a ConfigMap. The extension only helps people,
// because leaselab looks at the content.
var keyOfConfigMap = regexp.MustCompile(`^[A-Za-z0-9][-._A-Za-z0-9]{0,200}\.(yaml|yml|json)$`)

// fileInPod gives a scenario's file the same name as the user's file, if a ConfigMap allows the name. Then the replay
// commands of merged rows work in the user's folder. The name is not part of the study, so the user may rename the
// file.
func fileInPod(arg string, s *scenario.Scenario) string {
	if base := filepath.Base(arg); keyOfConfigMap.MatchString(base) {
		return base
	}
	return manifest.Name(nameOr(s.Name)) + ".json"
}
