package alerts

import (
	"context"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/common/promslog"
	"github.com/prometheus/prometheus/model/rulefmt"
	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/promql/parser"
	"github.com/stretchr/testify/require"
)

const rulesFile = "../../../web/docs/alerts.yaml"

// readRules reads and checks the rules with what `promtool check rules` calls.
func readRules(t require.TestingT) []rulefmt.Rule {
	groups, errs := rulefmt.ParseFile(rulesFile, false, model.UTF8Validation, parser.NewParser(parser.Options{}), promslog.NewNopLogger())
	require.Empty(t, errs)
	require.Len(t, groups.Groups, 1)
	return groups.Groups[0].Rules
}

// verdict says when an alert fires. Seconds count from the start of the run.
type verdict struct {
	FiresAtSeconds int `json:"firesAtSeconds,omitempty"`
	// how many evaluations in a row the expression held at most, if that was too short to fire
	TooShort int `json:"evaluationsTooShort,omitempty"`
}

// evaluate evaluates a rule once per interval, as Prometheus does. An alert is pending from the first evaluation at which
// the expression returns its labels, and fires once it has been so for the rule's `for`.
func evaluate(t require.TestingT, d *database, rule *rulefmt.Rule, duration time.Duration) (v verdict) {
	engine := promql.NewEngine(promql.EngineOpts{MaxSamples: 1e6, Timeout: time.Minute, Parser: parser.NewParser(parser.Options{})})
	active := map[string]time.Duration{}
	for at := interval; at <= duration; at += interval {
		query, err := engine.NewInstantQuery(context.Background(), d, nil, rule.Expr, time.UnixMilli(stamp(at)))
		require.NoError(t, err)
		result, err := query.Exec(context.Background()).Vector()
		require.NoError(t, err)
		now := map[string]time.Duration{}
		for _, sample := range result {
			who := sample.Metric.String()
			since, known := active[who]
			if !known {
				since = at
			}
			now[who] = since
			if at-since >= time.Duration(rule.For) {
				return verdict{FiresAtSeconds: int(at.Seconds())}
			}
			v.TooShort = max(v.TooShort, int((at-since)/interval)+1)
		}
		active = now
		query.Close()
	}
	return v
}
