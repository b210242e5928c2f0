// Package examples has a program for each kind of diagnostic. A program is a txtar
// archive that is named after the code. Its entry file is main.bicepparam, or else
// main.bicep.
//
// Some programs cannot be written as files of text, so the name of a file can say more:
//
//	-- shop.tgz/index.json --          a file in the archive shop.tgz, which is made
//	-- large.txt *1000 --              the content, 1000 times, each with its number, from 0, for {n}
//	-- bicepconfig.json (unreadable) --
//	-- BICEP_TRUSTED_CLOUDS --         no file: the value of the environment variable
//
// An archive whose comment says "no final newline" has none in its entry file.
//
// Begin with Find. The programs are tests and documentation: rad bicep explain shows them.
package examples

import (
	"embed"
	"errors"
	"io/fs"
	"path"
	"strconv"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/registry"
	"github.com/radbicep/rad/pkg/bicep/source"
)

//go:embed *.txtar
var archives embed.FS

// Program is an example.
type Program struct {
	Main  string // the name of the entry file
	Files []File // as they are written, the entry file first
}

// File is a file of an example.
type File struct{ Name, Text string }

// Find returns the example of a code.
func Find(code string) (Program, bool) {
	data, err := archives.ReadFile(code + ".txtar")
	if err != nil {
		return Program{}, false
	}
	comment, files := parse(string(data))
	p := Program{Main: "main.bicep", Files: files}
	for i, f := range files {
		if f.Name == "main.bicepparam" {
			p.Main = f.Name
		}
		if strings.HasPrefix(f.Name, "main.") {
			copy(files[1:i+1], files[:i])
			files[0] = f
		}
	}
	if strings.Contains(comment, "no final newline") {
		files[0].Text = strings.TrimSuffix(files[0].Text, "\n")
	}
	return p, true
}

// parse returns the comment and the files of a txtar archive.
func parse(text string) (comment string, files []File) {
	for line := range strings.Lines(text) {
		if name, ok := strings.CutPrefix(line, "-- "); ok {
			if name, ok = strings.CutSuffix(strings.TrimSuffix(name, "\n"), " --"); ok {
				files = append(files, File{Name: strings.TrimSpace(name)})
				continue
			}
		}
		if len(files) == 0 {
			comment += line
			continue
		}
		files[len(files)-1].Text += line
	}
	return comment, files
}

// repeated returns the file with its content as often as its name says.
func (f File) repeated() File {
	name, times, _ := strings.Cut(f.Name, " *")
	n, err := strconv.Atoi(times)
	if err != nil {
		return f
	}
	var text strings.Builder
	for i := range n {
		text.WriteString(strings.ReplaceAll(f.Text, "{n}", strconv.Itoa(i)))
	}
	return File{name, text.String()}
}

const trustedClouds = "BICEP_TRUSTED_CLOUDS"

// TrustedClouds returns the value of the environment variable BICEP_TRUSTED_CLOUDS.
func (p Program) TrustedClouds() string {
	for _, f := range p.Files {
		if f.Name == trustedClouds {
			return f.Text
		}
	}
	return ""
}

// FS returns the files of the program below a folder, as the compiler reads them.
func (p Program) FS(dir string) (source.FS, error) {
	texts := source.Memory{}
	fsys := partly{FS: texts}
	type archive struct{ names, texts []string }
	packed := map[string]*archive{}
	for _, f := range p.Files {
		f = f.repeated()
		name, text := f.Name, f.Text
		if name == trustedClouds {
			continue
		}
		if base, ok := strings.CutSuffix(name, " (unreadable)"); ok {
			fsys.unreadable = path.Join(dir, base)
			continue
		}
		if folder, rest, ok := strings.Cut(name, ".tgz/"); ok {
			a := packed[folder]
			if a == nil {
				a = &archive{}
				packed[folder] = a
			}
			a.names, a.texts = append(a.names, rest), append(a.texts, text)
			continue
		}
		texts[path.Join(dir, name)] = text
	}
	for folder, a := range packed {
		data, err := registry.PackFiles(a.names, a.texts)
		if err != nil {
			return nil, err
		}
		// Types are in an archive within that of the extension.
		if data, err = registry.PackFiles([]string{"types.tgz"}, []string{string(data)}); err != nil {
			return nil, err
		}
		texts[path.Join(dir, folder+".tgz")] = string(data)
	}
	return fsys, nil
}

// partly is a file system with a file that cannot be read.
type partly struct {
	source.FS
	unreadable string
}

func (p partly) ReadFile(name string) ([]byte, error) {
	if name == p.unreadable {
		return nil, errUnreadable("read", name)
	}
	return p.FS.ReadFile(name)
}

func (p partly) Stat(name string) (fs.FileInfo, error) {
	if name == p.unreadable {
		return nil, errUnreadable("stat", name)
	}
	return p.FS.Stat(name)
}

func errUnreadable(op, name string) error {
	return &fs.PathError{Op: op, Path: name, Err: errors.New("permission denied")}
}
