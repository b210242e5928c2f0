package deliver

import (
	"bytes"
	"regexp"
	"sync"
)

// generatorStamp matches what the compiler writes about itself into a template: its version, and the
// hash, which covers the versions in nested templates. In a manifest that is JSON, or in a
// template that is written without white space, the quotes and the layout differ.
var generatorStamp = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(\\?"_generator\\?":(?:\s|\\n|\\t)*\{(?:\s|\\n|\\t)*\\?"name\\?":(?:\s|\\n|\\t)*\\?"bicep\\?",(?:\s|\\n|\\t)*\\?"version\\?":(?:\s|\\n|\\t)*\\?")[^"\\]*(\\?",(?:\s|\\n|\\t)*\\?"templateHash\\?":(?:\s|\\n|\\t)*\\?")\d*`)
})

// sameButStamp reports whether two manifests differ only in the generator's stamp: the
// compiler's version, and the hashes that depend on it.
func sameButStamp(a, b []byte) bool {
	without := func(text []byte) []byte {
		text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
		return generatorStamp().ReplaceAll(text, []byte("$1$2"))
	}
	return bytes.Equal(without(a), without(b))
}
