package aztypes_test

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep/internal/aztypes"
	"github.com/radbicep/rad/pkg/bicep/internal/aztypes/pack"
)

// FuzzLibrary reads files that claim to be libraries. Whatever is in one, checking it
// ends without a fault, and one that passes the check can be read by every function.
func FuzzLibrary(f *testing.F) {
	seed, err := pack.Repository("generate/testdata/own", "a seed")
	require.NoError(f, err)
	f.Add(seed[aztypes.HeaderPrefix:])
	f.Fuzz(func(t *testing.T, content []byte) {
		// A fuzzer does not find a checksum, but the author of a hostile file can compute it.
		header := binary.LittleEndian.AppendUint32([]byte(aztypes.Magic), aztypes.Checksum(content))
		l, err := aztypes.Verified(append(header, content...))
		if err != nil || l.Check() != nil {
			return
		}
		l.Source()
		l.Licence()
		for _, provider := range l.Providers() {
			l.HasProvider(provider)
		}
		for n := range l.Types() {
			l.FindType(l.TypeName(n))
			for r := range l.Versions(n) {
				l.Has(r.Type, r.Version)
				if r.Body == aztypes.None {
					continue
				}
				body := l.Node(r.Body)
				for _, p := range body.Properties {
					if p.Type != aztypes.None {
						l.Node(p.Type)
					}
				}
			}
		}
	})
}
