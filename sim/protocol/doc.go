// Package protocol holds the JSON shapes that cross between the engine and the page. wasm/declare writes them as
// TypeScript to web/js/protocol.d.ts. View is everything the page draws at an instant, Timeline everything between
// two instants. Times are virtual nanoseconds since the run's epoch, below 2^53.
//
// The page draws and the engine thinks. A shape holds sentences, spans and marks that are ready to draw, so that no
// rule of leader election lives in JavaScript. Comments of these types become comments in TypeScript, and a comment
// that lists quoted words becomes a union type. An error crosses as an ErrorReply, with the field of the scenario
// that it is about.
//
// Guarantee: every instant that crosses is exact in JavaScript. Non-guarantee: engine and page come from one build. A
// shape may change with every build unless links or files hold it.
package protocol
