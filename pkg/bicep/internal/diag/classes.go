package diag

// Class says what an argument of a diagnostic is: whether a message about a secret may show it. Names
// and fixed text are no secrets, wherever they stand; values are.
type Class byte

// The classes.
const (
	Name     Class = 'n' // a name, fixed text, or a number that a rule or a declaration gives
	Property Class = 'k' // names of properties, as objects of the source spell them: a text in quotes may be one
	Expected Class = 'T' // a type that is declared or expected
	Found    Class = 't' // the type of a value: its literals are values
	Value    Class = 'v' // a value, or text of the source
	Reason   Class = 'r' // why a value cannot be computed, in a sentence that may quote it
)

// Plain is a Reason that quotes no value.
type Plain string

// String returns the text.
func (p Plain) String() string { return string(p) }

// Class returns what an argument of a diagnostic of this kind is. What is not listed may be a value.
func (k Kind) Class(i int) Class {
	for _, row := range classes {
		for _, one := range row.kinds {
			if one == k && i < len(row.classes) {
				return Class(row.classes[i])
			}
		}
	}
	return Value
}

// classes lists the kinds whose messages have arguments, by the classes of these in their order.
var classes = [...]struct {
	classes string
	kinds   []Kind
}{
	{"n", []Kind{
		BCP012, BCP018, BCP024, BCP249, BCP354, NestedTooDeep, BCP028, BCP145, BCP207, BCP360, BCP030, BCP031, BCP062,
		BCP065, BCP066, BCP080, BCP081, BCP125, BCP126, BCP127, BCP128, BCP129, BCP152, BCP156, BCP165, BCP166, BCP205,
		BCP206, BCP227, BCP229, BCP230, BCP245, BCP258, BCP268, BCP269, BCP287, BCP288, BCP297, BCP299, BCP301, BCP306,
		BCP362, BCP364, BCP186, BCP340, BCP374, BCP383, BCP392, BCP393, BCP412, BCP424, BCP425, BCP441, BCP225, BCP416, BCP155, BCP185,
		BCP241, BCP295, BCP308, BCP366, BCP372, BCP386, BCP396, BCP419, BCP211, BCP453, BCP455, LintConstraintsConflict,
		BCP095, BCP448, BCP368,
		BCP369, BCP121, BCP122, BCP144, BCP177, BCP178, BCP180, BCP183, BCP239, BCP247, BCP341, BCP351, BCP421, BCP431,
		TemplateTooLarge, TooManyErrors, TooManyFindings, BCP444, LinterEnabled, LinterDisabled, LintDecompilerCleanup,
		LintDeploymentsResources, LintHardcodedOutputs, LintNestedScoping, LintUnnecessaryDependsOn, LintUnusedExisting,
		LintUnusedImports, LintUnusedParams, LintUnusedTypes, LintUnusedVars, LintSecretOutputs, LintSecretParams,
		LintSecureDefault, LintStacksExtensions, LintDescribeOutputs, LintDescribeParams, LintDescribeTypeProperties,
		LintDescribeTypes, LintDescribeVars, LintProtectCommand, LintRecentAPIVersions, LintRecentModules,
		LintRecognizedType, LintResourceIDFunctions, LintUseSymbol, LintSafeAccess, LintStableImage,
	}},
	{"nn", []Kind{
		BCP056, BCP084, BCP373, BCP134, BCP135, BCP208, BCP209, BCP210, BCP246, BCP259, BCP264, BCP384, BCP452, BCP071,
		BCP073, BCP069, BCP154, BCP397, BCP398, BCP204, BCP212, BCP213, BCP214, BCP215, BCP216, BCP271, BCP272, BCP273,
		BCP274, BCP454, BCP458, LintEntryTooWide, BCP120, BCP169, BCP179, BCP181, BCP182, BCP248, BCP353, BCP433, LintExplicitLocations,
		LintMaxAsserts, LintMaxOutputs, LintMaxParams, LintMaxResources, LintMaxVariables, LintSecureInNested,
		LintSecureInParamsFile, LintUseParent, LintRemovedType, LintWhatIf,
	}},
	{"nnn", []Kind{
		BCP159, BCP265, BCP307, BCP451, BCP432, BCP434, LintStableIdentifiers, BCP456, BCP459,
	}},
	{"nnnn", []Kind{
		BCP035,
	}},
	{"T", []Kind{
		BCP286, BCP402,
	}},
	{"k", []Kind{
		BCP025, BCP173,
	}},
	{"t", []Kind{
		BCP041, BCP049, BCP054, BCP055, BCP067, BCP074, BCP075, BCP076, BCP137, BCP158, BCP318, BCP350, BCP388, BCP389,
		BCP414, BCP415, BCP422,
	}},
	{"v", []Kind{
		BCP001, BCP006, BCP103, BCP057, BCP059, BCP063, BCP339, BCP091, BCP189, BCP190, BCP193, BCP194, BCP196, BCP275,
		BCP319, BCP428, BCP429, BCP430, NotUTF8, LintHardcodedURLs, LintAzPowerShell,
	}},
	{"nT", []Kind{
		BCP078,
	}},
	{"kk", []Kind{
		BCP187,
	}},
	{"nk", []Kind{
		BCP107,
	}},
	{"nt", []Kind{
		BCP044, LintSecureValue,
	}},
	{"nv", []Kind{
		BCP365,
	}},
	{"vn", []Kind{
		BCP082, BCP302, BCP327, BCP328, BCP329, BCP330, BCP332, BCP333, BCP334, BCP335,
	}},
	{"vnv", []Kind{
		BCP446,
	}},
	{"nkn", []Kind{
		BCP108,
	}},
	{"nnr", []Kind{
		BCP338,
	}},
	{"Tt", []Kind{
		BCP046, BCP033, BCP034, BCP403,
	}},
	{"kt", []Kind{
		BCP077,
	}},
	{"tT", []Kind{
		BCP070,
	}},
	{"tk", []Kind{
		BCP109,
	}},
	{"tt", []Kind{
		BCP309,
	}},
	{"vv", []Kind{
		BCP427, BCP192, BCP195, BCP198, BCP217, BCP219, BCP221, BCP223, BCP224, LintArtifactsParameters,
	}},
	{"Tnt", []Kind{
		BCP321,
	}},
	{"ktn", []Kind{
		BCP089,
	}},
	{"nTt", []Kind{
		BCP124,
	}},
	{"ntT", []Kind{
		BCP048,
	}},
	{"nvr", []Kind{
		BCP234,
	}},
	{"tkn", []Kind{
		BCP110, BCP052,
	}},
	{"tnk", []Kind{
		BCP040,
	}},
	{"tnv", []Kind{
		BCP311,
	}},
	{"vvn", []Kind{
		BCP197, BCP199, BCP200, BCP218, BCP220, BCP222,
	}},
	{"nttn", []Kind{
		BCP045,
	}},
	{"nvnv", []Kind{
		BCP331,
	}},
	{"nTntn", []Kind{
		BCP036,
	}},
	{"tkk", []Kind{
		BCP083,
	}},
	{"vvv", []Kind{
		BCP184,
	}},
	{"nTvv", []Kind{
		BCP088,
	}},
	{"tkkn", []Kind{
		BCP053,
	}},
	{"kntkn", []Kind{
		BCP037,
	}},
}
