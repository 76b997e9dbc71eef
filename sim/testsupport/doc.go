// Package testsupport is the room of what only tests link: recorded replays what was recorded with the real thing,
// random makes scenarios, cost and bounded limit what a request may take, speed measures.
//
// Guarantee: no program that ships links it. Non-guarantee: its packages may change at any time; only the tests depend
// on them.
package testsupport
