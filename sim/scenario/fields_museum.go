package scenario

var museumFields = []Field{
	{Key: "Museum",
		Help: "The real incident that a scenario reproduces. If the fixed variant leaves out class, lesson, or " +
			"source, its partner's value applies."},
	{Key: "Museum.catalogue", Help: "The incident's catalog ID, such as B02.",
		missing: "an exhibit needs the catalog ID of its incident, such as B02"},
	{
		Key: "Museum.variant", Help: "failing shows what went wrong; fixed shows the same run with the fix.",
		words: []string{VariantFailing, VariantFixed}, missing: "write failing or fixed",
	},
	{Key: "Museum.partner", Help: "The name of the other variant."},
	{Key: "Museum.class", Help: "The kind of failure. Lists group the incidents by kind.", words: Classes()},
	{Key: "Museum.lesson", Help: "The exhibit's lesson, a number from 1 to 16.", whole: &bounds{max: Lessons}},
	{Key: "Museum.source", Help: "Where people reported the incident: owner/repo#123, or an https address."},
	{Key: "Museum.story",
		Help:  "A paragraph: what happened and why. For the fixed variant: what is different, and why that helps.",
		Lines: true},
	{Key: "Museum.watch", Help: "What to watch in the run."},
}
