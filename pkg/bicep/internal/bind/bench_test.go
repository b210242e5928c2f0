package bind_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/radbicep/rad/pkg/bicep/internal/bind"
)

func BenchmarkBind(b *testing.B) {
	var s strings.Builder
	s.WriteString("param location string\nvar prefix = 'x'\n")
	for i := range 2000 {
		fmt.Fprintf(&s, "resource r%d 'A.B/c@2020-01-01' = {\n  name: '${prefix}%d'\n  location: location\n  properties: {\n    list: [\n      'a'\n      {\n        k: concat('x', prefix)\n      }\n    ]\n", i, i)
		if i > 0 {
			fmt.Fprintf(&s, "    other: r%d.properties.x\n", i/2)
		}
		s.WriteString("  }\n}\n")
	}
	f := loaded(b, "main.bicep", s.String()).Entry
	b.ReportAllocs()
	b.SetBytes(int64(s.Len()))
	for b.Loop() {
		bind.Bind(f, env{})
	}
}
