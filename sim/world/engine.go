package world

// Engine numbers the behaviour of core and sim: the commit that changes a golden trace hash raises it.
const Engine = 4
