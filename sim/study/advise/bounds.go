package advise

import (
	"fmt"
	"math"
	"strings"

	"github.com/leaselab/leaselab/sim/words"
)

// bound is the shortest length that goals leave a setting, with the sentences that prove it.
type bound struct {
	ns    float64
	proof []string
}

// meanLatencyNs is the mean of the log-normal answers that a goal of latency stands for.
func meanLatencyNs(goals []Goal) float64 {
	latency := boundOf(goals, Latency)
	if latency == 0 {
		return 0
	}
	const z99 = 2.3263478740408408
	sigma := math.Log(float64(latency)/float64(typical(latency))) / z99
	return float64(typical(latency)) * math.Exp(sigma*sigma/2)
}

// contradicts returns why no setting at all meets the goals, nil if nothing proves it. latencyNs is that of the scenario, both ways.
func contradicts(goals []Goal, latencyNs float64) []string {
	latencyNs += meanLatencyNs(goals)
	renew := leastRenew(goals, latencyNs)
	for i := range goals {
		g := &goals[i]
		if g.Name != Takeover || renew.ns == 0 {
			continue
		}
		// A crash comes at any phase of a renewal: at p99 all but 1 % of retryPeriod may have passed since the last one, and retryPeriod
		// is less than renewDeadline / 1.2.
		age := 1 - g.Share
		least := renew.ns - age*(renew.ns*jitterDen/jitterNum+latencyNs)
		if least < float64(g.Bound) {
			continue
		}
		short := words.WholeSeconds(int64(renew.ns))
		proof := append(renew.proof,
			fmt.Sprintf("client-go refuses a leaseDuration that is not longer than renewDeadline: leaseDuration > renewDeadline > %s.", short))
		since := "the last renewal"
		if g.Share < 1 {
			since = fmt.Sprintf("the last renewal, and %.0f %% of crashes follow a renewal within %.0f %% of a retryPeriod", 100*age, 100*age)
		}
		return append(proof, fmt.Sprintf("No other candidate takes the lock before leaseDuration has passed since %s: at %s the takeover takes more than %s, and you wish for %s.",
			since, g.quantile(), words.Seconds(int64(least)), g.value(g.Bound)))
	}
	return nil
}

// leastRenew is the bound of renewDeadline.
func leastRenew(goals []Goal, latencyNs float64) bound {
	var b bound
	if survive := boundOf(goals, Survive); survive > 0 {
		length := words.WholeSeconds(survive)
		b = bound{float64(survive), []string{fmt.Sprintf(
			"To survive %s without the API at every phase of its renewals, the leader needs a renewDeadline longer than %s: if the API goes away just before a renewal, the leader gives up renewDeadline later.", length, length)}}
	}
	for _, name := range []string{Writes, Requests} {
		perMinute := boundOf(goals, name)
		if perMinute == 0 {
			continue
		}
		cycle := 60e9 * thousand / float64(perMinute)
		retry := cycle - latencyNs
		if renew := retry * jitterNum / jitterDen; renew > b.ns {
			b = bound{renew, []string{
				fmt.Sprintf("The leader writes once every retryPeriod plus the time of its request: at most %s %s a minute need a retryPeriod of at least %s.",
					strings.TrimSuffix(fmt.Sprintf("%.1f", float64(perMinute)/thousand), ".0"), name, words.Seconds(int64(retry))),
				fmt.Sprintf("client-go refuses a renewDeadline that is not longer than 1.2 × retryPeriod: renewDeadline > %s.", words.Seconds(int64(renew))),
			}}
		}
	}
	return b
}
