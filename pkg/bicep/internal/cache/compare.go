package cache

import (
	"bytes"
	"io"

	"github.com/radbicep/rad/pkg/bicep/source"
)

// sameContent reports whether two files hold the same bytes.
func sameContent(a, b string) bool {
	x, err := source.OpenRegular(a)
	if err != nil {
		return false
	}
	defer x.Close()
	y, err := source.OpenRegular(b)
	if err != nil {
		return false
	}
	defer y.Close()
	xi, err1 := x.Stat()
	yi, err2 := y.Stat()
	if err1 != nil || err2 != nil || xi.Size() != yi.Size() || !xi.Mode().IsRegular() || !yi.Mode().IsRegular() {
		return false
	}
	p, q := make([]byte, 64<<10), make([]byte, 64<<10)
	for {
		n, err1 := io.ReadFull(x, p)
		m, err2 := io.ReadFull(y, q)
		if n != m || !bytes.Equal(p[:n], q[:m]) {
			return false
		}
		if err1 != nil || err2 != nil {
			return (err1 == io.EOF || err1 == io.ErrUnexpectedEOF) && err1 == err2
		}
	}
}
