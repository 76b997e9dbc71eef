// Package manifest writes a Kubernetes Indexed Job whose pods each run one shard of a study. It also writes a
// Dockerfile for the image. Fill in a Job and call YAML.
//
// Guarantee: the objects decode strictly into the types of batch/v1 and v1, and a pod that starts again continues
// from its file of runs. Non-guarantee: it does not create the image, the namespace or the volume claim that it
// names.
package manifest

import (
	_ "embed"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/leaselab/leaselab/core/apiserver/validate"
)

// Limits of a Job.
const (
	MaxShards     = 100_000 // Kubernetes allows this many if parallelism is at most 10,000
	MaxParallel   = 10_000  // maximum number of pods at the same time
	maxNameLength = 63 - 7  // a pod's name also has a dash and the index
	maxConfigMap  = 1 << 20 // size limit of a ConfigMap in bytes
	resultsFolder = "/results"
)

// ScenarioFolder is a pod's working directory and contains the scenario's file. The arguments name only the file.
const ScenarioFolder = "/scenario"

// Job describes the Kubernetes Job to write.
type Job struct {
	Name         string // name of the Job and its ConfigMap
	Namespace    string // "" for kubectl's
	Image        string
	Claim        string   // volume claim for the files of runs
	CPU          string   // request of each pod, such as "1"
	Shards       int      // number of pods, one shard each
	Parallel     int      // pods at a time
	Arguments    []string // arguments of leaselab, without --shard and --resume
	ScenarioFile string   // name of the scenario's file; "" for a shipped scenario
	Scenario     []byte   // the scenario's text
}

// Dockerfile builds an image that contains only leaselab, linked statically.
//
//go:embed Dockerfile
var Dockerfile string

// Name converts a text to a name for a Job: lower-case letters, digits and dashes. A sequence of other characters
// becomes one dash. The name is short enough for the pods' names, which end in a dash and the index. The result may
// be empty.
func Name(text string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(text) {
		switch {
		case 'a' <= r && r <= 'z', '0' <= r && r <= '9':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	name := b.String()
	return strings.Trim(name[:min(len(name), maxNameLength)], "-")
}

// `quantity` matches the CPU requests that the API server accepts, without exponents.
var quantity = regexp.MustCompile(`^([0-9]{1,9}(\.[0-9]{1,3})?|[0-9]{1,9}m)$`)

// check returns what is wrong with a job. Its errors begin with the field.
func (j *Job) check() error {
	switch {
	case j.Name == "" || j.Name != Name(j.Name):
		return fmt.Errorf("name %q must be lower case letters, digits and dashes, at most %d", j.Name, maxNameLength)
	case j.Namespace != "" && len(validate.LabelName(j.Namespace, false)) > 0:
		return fmt.Errorf("namespace %q must be lower case letters, digits and dashes, at most 63", j.Namespace)
	case j.Image == "" || strings.ContainsAny(j.Image, " \t\r\n"):
		return fmt.Errorf("image %q must be the name of an image, such as registry.example/leaselab:1", j.Image)
	case len(validate.SubdomainName(j.Claim, false)) > 0:
		return fmt.Errorf("claim %q must be lower case letters, digits, dashes and dots, at most 253", j.Claim)
	case !quantity.MatchString(j.CPU) || strings.Trim(j.CPU, "0.m") == "":
		return fmt.Errorf("cpu %q must be a number of cores above 0, such as 1, 0.5 or 500m", j.CPU)
	case j.Shards < 1 || j.Shards > MaxShards:
		return fmt.Errorf("shards %d must be 1 to %d", j.Shards, MaxShards)
	case j.Parallel < 1 || j.Parallel > MaxParallel:
		return fmt.Errorf("parallel %d must be 1 to %d pods at a time", j.Parallel, MaxParallel)
	case len(j.Scenario) > maxConfigMap:
		return fmt.Errorf("image: the scenario has %d bytes; a ConfigMap takes only %d: put it into the image",
			len(j.Scenario), maxConfigMap)
	}
	return nil
}

// jobFormat has a verb for each part that depends on the Job.
//
//go:embed job.yaml.txt
var jobFormat string

// YAML writes the Job. It also writes the ConfigMap with the scenario, unless the scenario comes with leaselab.
func (j *Job) YAML() (string, error) {
	if err := j.check(); err != nil {
		return "", err
	}
	var b strings.Builder
	if j.ScenarioFile != "" {
		fmt.Fprintf(&b, "apiVersion: v1\nkind: ConfigMap\nmetadata:\n%sdata:\n  %s: |2\n%s---\n", j.metadata("  "),
			quote(j.ScenarioFile), indent(string(j.Scenario), "    "))
	}
	fmt.Fprintf(&b, jobFormat, j.metadata("  "), j.Shards, j.Parallel, quote(j.Name), quote(j.Image),
		j.ifFile("          workingDir: "+ScenarioFolder+"\n"), j.arguments(), quote(j.CPU), resultsFolder,
		j.ifFile("            - {name: scenario, mountPath: "+ScenarioFolder+", readOnly: true}\n"), quote(j.Claim),
		j.ifFile("        - name: scenario\n          configMap: {name: "+quote(j.Name)+"}\n"))
	return b.String(), nil
}

func (j *Job) ifFile(text string) string {
	if j.ScenarioFile == "" {
		return ""
	}
	return text
}

func (j *Job) metadata(indent string) string {
	text := indent + "name: " + quote(j.Name) + "\n"
	if j.Namespace != "" {
		text += indent + "namespace: " + quote(j.Namespace) + "\n"
	}
	return text + indent + "labels: {app.kubernetes.io/name: leaselab}\n"
}

// `arguments` writes the arguments of a pod. Kubernetes replaces $(JOB_COMPLETION_INDEX) with the pod's index, and $$
// with $.
func (j *Job) arguments() string {
	var b strings.Builder
	for _, argument := range j.Arguments {
		fmt.Fprintf(&b, "            - %s\n", quote(strings.ReplaceAll(argument, "$(", "$$(")))
	}
	fmt.Fprintf(&b,
		"            - --shard=$(JOB_COMPLETION_INDEX)/%d\n            - --resume=%s/$(JOB_COMPLETION_INDEX).runs\n",
		j.Shards, resultsFolder)
	return b.String()
}

// quote writes a text as a double-quoted YAML string, whose escapes are JSON's. Quoting everything keeps YAML from
// reading "1" as a number and "no" as a boolean.
func quote(text string) string { return strconv.QuoteToASCII(text) }

func indent(text, indent string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(indent + line)
	}
	if !strings.HasSuffix(text, "\n") {
		b.WriteByte('\n')
	}
	return b.String()
}
