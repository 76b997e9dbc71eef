// Package symptoms finds the incidents and questions that fit a log, an error, or a description in plain words.
//
// # The problem
//
// A user has a line such as "failed to renew lease" and does not know the words of the documentation. Ten incidents end
// with that line. What tells them apart are the other lines: requests that hang, a client that throttles itself, a
// standby that waits.
//
// # How it works
//
// The file symptoms.txt has one record for each page: phrases that logs and people use, single words, and the condition
// under which the page is the right one. Find reduces a text to stems, as it does with the phrases and words, and adds
// up the weights of the clues in the text. A phrase of four words tells more than a word, and a clue that many
// records share tells less.
//
//	text --> stems --> weights of the clues --> the best three --> the question that tells them apart
//
// The words of a record include the telling ones of its page. The text of the logs comes from client-go v0.20 to v0.37
// tools/leaderelection, controller-runtime, klog, fabric8, kubernetes-client/java, Consul, Vault, Patroni and others.
// The words of questions come from the threads that the documentation names.
//
// # Guarantee
//
// The answer depends only on the text. Nothing leaves the process.
//
// # Non-guarantee
//
// A match is a suggestion. Package evidence reads whole logs and proves what happened.
package symptoms
