package report

// Hint says what a user can do about an error or a finding. The program that shows it has the
// words: the packages that report errors do not know its commands and flags.
type Hint uint8

// The hints. The zero value stands for none.
const (
	HintRestore        Hint = iota + 1 // fetch the artifact where there is a network
	HintUpdate                         // ask what the tag means now, and update the lock file
	HintVendor                         // copy the artifacts to the folder of vendored ones again
	HintChangeLock                     // restore without the demand that the lock file stays as it is
	HintNameCache                      // name the folder of the cache as the user, not in the project
	HintReplaceTag                     // allow that the published artifact is replaced
	HintFetch                          // fetch the artifact, which is not in the cache
	HintFetchAgain                     // fetch the artifact again: the cache holds another content
	HintMerge                          // resolve the conflict in the lock file, then restore
	HintImportTypes                    // import a library of Azure's types
	HintPackTypes                      // import the folder, since a library is a file
	HintAskRegistry                    // ask the registry which versions there are
	HintListProperties                 // list the properties that the type has
	HintLeaveOut                       // leave the value out, and give it when the manifest is made
)

// HintedError is an error about which a user can do something. As an argument of a
// diagnostic, it is the Cause of the finding.
type HintedError struct {
	Text string
	Hint Hint
}

// Error returns the text.
func (e *HintedError) Error() string { return e.Text }

// NetworkError is an error of a registry, or of the connection to it.
type NetworkError struct {
	Text      string
	Err       error // may be nil
	Temporary bool  // asking again later may help
}

// Error returns the text.
func (e *NetworkError) Error() string { return e.Text }

// Unwrap returns what caused the error, or nil.
func (e *NetworkError) Unwrap() error { return e.Err }
