package compile

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/radbicep/rad/cmd/rad/internal/workdir"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// SourceText returns the text of a Bicep file, and the byte order mark before it. ok says that the text is UTF-8, so that
// it can be written again.
func SourceText(content []byte) (mark, text string, ok bool) {
	text = source.Decode(content, "")
	if bytes.Equal(content, []byte(text)) {
		return "", text, true
	}
	if encoding, size := source.ByteOrderMark(content); encoding != "" {
		mark, content = string(content[:size]), content[size:]
	}
	return mark, text, bytes.Equal(content, []byte(text))
}

// Rewrite gives a file that somebody wrote another text, unless somebody else has changed it since it was read. done is
// what was done with it.
func Rewrite(files source.FS, path, before, after, done string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return &fs.PathError{Op: "write", Path: path, Err: errors.New("not a regular file")}
	}
	now, err := files.ReadFile(path)
	if err != nil {
		return err
	}
	if string(now) != before {
		return fmt.Errorf("%s was changed while it was %s; run again", workdir.Shown(path), done)
	}
	return workdir.WriteSource(path, []byte(after))
}
