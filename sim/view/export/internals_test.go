package export

// For the tests.
var (
	ForMermaid  = forMermaid
	ForMarkdown = forMarkdown
	ForXML      = forXML
	Code        = code
	Address     = address
)
