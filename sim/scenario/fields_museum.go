package scenario

var museumFields = []Field{
	{Key: "Museum.catalogue", missing: "an exhibit needs the catalog ID of its incident, such as B02"},
	{Key: "Museum.variant", words: []string{VariantFailing, VariantFixed}, missing: "write failing or fixed"},
	{Key: "Museum.class", words: Classes()},
	{Key: "Museum.lesson", whole: &bounds{max: Lessons}},
	{Key: "Museum.story", Lines: true},
}
