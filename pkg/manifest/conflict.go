package manifest

import "bytes"

// Sides returns the two contents of a file that git has left with conflict markers. ok is false if there
// are none, or if they are not as git writes them.
func Sides(content []byte) (first, second []byte, ok bool) {
	if !bytes.Contains(content, []byte("<<<<<<< ")) {
		return nil, nil, false
	}
	const both, one, base, other = 0, 1, 2, 3
	in := both
	for line := range bytes.Lines(content) {
		next := in
		switch {
		case in == both && bytes.HasPrefix(line, []byte("<<<<<<< ")):
			next = one
		case in == one && bytes.HasPrefix(line, []byte("||||||| ")):
			next = base
		case (in == one || in == base) && string(bytes.TrimRight(line, "\r\n")) == "=======":
			next = other
		case in == other && bytes.HasPrefix(line, []byte(">>>>>>> ")):
			next, ok = both, true
		}
		if next != in {
			in = next
			continue
		}
		if in == both || in == one {
			first = append(first, line...)
		}
		if in == both || in == other {
			second = append(second, line...)
		}
	}
	return first, second, ok && in == both
}
