// Package data keeps the objects and the revision of a server in a file of go.etcd.io/bbolt, over restarts of the
// process.
//
// Guarantee: a write that Wait has confirmed is in the file whenever and however the process ends, also if the machine
// loses its power and its disk keeps what it has synced. Open refuses a file in which it finds damage, and leaves it
// alone. Non-guarantee: the file keeps no past: watches that begin before a restart's revision are answered 410. Damage
// to the newest of bbolt's two meta pages looks like a write that the machine did not finish: the file then shows the
// state before it.
package data
