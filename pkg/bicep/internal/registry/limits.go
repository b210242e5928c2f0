package registry

import "time"

// Limits of an artifact, so that a hostile registry ends in a diagnostic. Sizes are checked twice:
// those that a manifest claims before anything is asked for, and what arrives while it is read.
const (
	maxManifest = 4 << 20   // manifests have a few kilobytes; 4 MiB is what registries accept
	maxConfig   = 64 << 10  // {} or a list of architectures
	maxModule   = 64 << 20  // Azure accepts templates of 4 MiB
	maxTypes    = 64 << 20  // packed, which is what typelib reads
	maxSource   = 64 << 20  // larger ones are left out: nothing is compiled from them
	maxBinary   = 512 << 20 // the program of an extension
	maxLayers   = 32
	maxMessage  = 300 // characters of a text that a registry chose

	// Limits of what types.tgz unpacks to.
	maxUnpacked = 1 << 30
	maxRatio    = 200
	ratioFrom   = 8 << 20 // below it, the ratio does not matter
	maxEntries  = 10_000
	maxTypeFile = 128 << 20 // one file of types

	maxRedirects   = 5
	maxAttempts    = 5 // of one request
	maxTokenAnswer = 1 << 20
	maxTagPages    = 100
	maxTags        = 100_000

	atOnce  = 8 // artifacts that are fetched at the same time
	perHost = 6 // connections to one registry
)

// Times are how long a registry may take. They are variables of a client, so that
// tests need not wait.
type Times struct {
	Silence time.Duration // without a byte
	Request time.Duration // a request and its answer, without a body of note
	PerMiB  time.Duration // more for each MiB of a body
	Backoff time.Duration // before the second attempt; it doubles
	Wait    time.Duration // the longest that a registry may have us wait before another attempt
	Tools   time.Duration // all that is run or asked for a credential of one registry

	After func(time.Duration) <-chan time.Time // waits before another attempt; nil means time.After
}

// DefaultTimes suit slow networks.
var DefaultTimes = Times{
	Silence: 60 * time.Second,
	Request: 2 * time.Minute,
	PerMiB:  20 * time.Second,
	Backoff: 300 * time.Millisecond,
	Wait:    30 * time.Second,
	Tools:   30 * time.Second,
}
