// Package data stores a server's objects and revision in a go.etcd.io/bbolt file, so that they survive restarts of
// the process. Open returns a File, and the File is a serve.Journal.
//
// Guarantee: once Wait has confirmed a write, the write is in the file, whenever and however the process ends. That
// is true even if the machine loses power, as long as its disk keeps what it has synced. Open refuses a damaged file
// and does not change it. Non-guarantee: the file has no history, so watches that begin at a revision before a
// restart get 410. Damage to the newest of bbolt's two meta pages looks like an unfinished write; then the file shows
// the state before that write.
package data
