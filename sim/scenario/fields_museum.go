package scenario

var museumFields = []Field{
	{Key: "Museum",
		Help: "The real incident that a scenario reproduces. The fixed variant may leave out class, lesson and " +
			"source, and then has its partner's."},
	{Key: "Museum.catalogue", Help: "The incident's catalog ID, such as B02.",
		missing: "an exhibit needs the catalog ID of its incident, such as B02"},
	{
		Key: "Museum.variant", Help: "failing shows what went wrong; fixed shows the same run with the fix.",
		words: []string{VariantFailing, VariantFixed}, missing: "an exhibit is failing or fixed",
	},
	{Key: "Museum.partner", Help: "The name of the other variant."},
	{Key: "Museum.class", Help: "The kind of failure. Lists group the incidents by it.", words: Classes()},
	{Key: "Museum.lesson", Help: "The lesson, 1 to 16, that the exhibit teaches.", whole: &bounds{max: Lessons}},
	{Key: "Museum.source", Help: "Where it is reported: owner/repo#123, or an https address."},
	{Key: "Museum.story",
		Help:  "A paragraph: what happened and why. For the fixed variant: what is different, and why that helps.",
		Lines: true},
	{Key: "Museum.watch", Help: "What to watch in the run."},
}
