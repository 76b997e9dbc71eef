package world

// Engine is the version of the behavior of core and sim. A commit that changes a golden trace hash raises it.
const Engine = 4
