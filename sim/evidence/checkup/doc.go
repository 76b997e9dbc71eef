// Package checkup reads the Leases of a cluster and says how they are, and what a stall of the API does to each.
//
// # From a Lease to a setting
//
// A Lease contains leaseDuration and nothing else of its elector's setting. A watch shows retryPeriod: the time between
// two renewals. Nothing shows renewDeadline. So Check looks for a program in the table known that has the same
// leaseDuration and retryPeriod, and otherwise assumes client-go's proportions. Each value says where it comes from.
// The caller may know better: see Options.Given.
//
// # From a setting to an outcome
//
// A leader renews every retryPeriod. If the API refuses its requests, it tries again every retryPeriod and gives up
// renewDeadline after its first failure. The stall begins at any point between two renewals:
//
//	survives   if it lasts at most retryPeriod × (⌈renewDeadline / retryPeriod⌉ − 1)
//	loses      if it lasts a retryPeriod longer
//	either     between the two
//
// A leader that loses stops renewDeadline to renewDeadline + retryPeriod after the start. Once the API is back, another
// candidate, or the restarted process, takes over within numbers.Spread.Max, as after a crash. Kubelets and API servers
// renew for as long as it takes.
//
// # Guarantee
//
// The result depends only on the files and the options. With the right settings, client-go's electors do what Stall
// predicts.
//
// # Non-guarantee
//
// Ages count from the newest time in the files, unless Options.NowNs says more. If the API hangs instead of refusing,
// leaders may lose from half of renewDeadline on. The time that a kubelet needs to restart a container comes on top.
package checkup
