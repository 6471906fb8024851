package pack

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// formatNumber numbers the form of archives.
const formatNumber = 1

// sums is the text of the file that lists the others. Its comments say what a
// program has to know before it reads any rule.
func (p *Pack) sums() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# momon pack %d\n# name %s\n# version %s\n# language %d\n", formatNumber, p.Name, p.Version, p.Language)
	for _, n := range p.Needs {
		fmt.Fprintf(&b, "# needs %s\n", n)
	}
	for _, s := range p.Stands {
		fmt.Fprintf(&b, "# stands on %s", s.Name)
		for _, x := range [][2]string{{"is", s.Digest}, {"from", s.From}, {"until", s.Until}} {
			if x[1] != "" {
				fmt.Fprintf(&b, " %s %s", x[0], x[1])
			}
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "# content %s\n", p.Content)
	for _, f := range p.Files {
		fmt.Fprintf(&b, "%s  %s\n", f.SHA256, f.Path)
	}
	return b.String()
}

// Head is what the beginning of an archive says, before any of it is verified.
type Head struct {
	Name, Version, Content string
	Needs                  []string
	Stands                 []Stand
	files                  []File
}

// readSums reads the list of files, and refuses what this program can't read.
func readSums(data []byte) (*Head, error) {
	h := &Head{}
	lines := bytes.Split(data, []byte("\n"))
	if len(lines[len(lines)-1]) != 0 {
		return nil, fault("sums-form", len(lines))
	}
	for i, line := range lines[:len(lines)-1] {
		bad := fault("sums-form", i+1)
		if text, ok := strings.CutPrefix(string(line), "# "); ok {
			w := strings.Fields(text)
			if i == 0 && (len(w) != 3 || w[0] != "momon" || w[1] != "pack") || i > 0 && len(w) < 2 {
				return nil, bad
			}
			switch w[0] {
			case "momon":
				if i > 0 { // the first line alone says it, and is of three words
					return nil, bad
				}
				n, err := strconv.Atoi(w[2])
				if err != nil || n < 1 {
					return nil, bad
				}
				if n > formatNumber {
					return nil, fault("newer-form", n, formatNumber)
				}
			case "name":
				h.Name = w[1]
			case "version":
				h.Version = w[1]
			case "language":
				n, err := strconv.Atoi(w[1])
				if err != nil || n < 1 {
					return nil, bad
				}
				if n > Language {
					return nil, fault("newer-language", n, Language)
				}
			case "needs":
				if !slices.Contains(Features(), w[1]) {
					return nil, fault("feature", printable(w[1]), strings.Join(Features(), ", "))
				}
				h.Needs = append(h.Needs, w[1])
			case "stands":
				if len(w) < 3 || w[1] != "on" || len(w)%2 == 0 {
					return nil, bad
				}
				s := Stand{Name: w[2]}
				for j := 3; j+1 < len(w); j += 2 {
					switch w[j] {
					case "is":
						s.Digest = w[j+1]
					case "from":
						s.From = w[j+1]
					case "until":
						s.Until = w[j+1]
					default:
						return nil, bad
					}
				}
				h.Stands = append(h.Stands, s)
			case "content":
				h.Content = w[1]
			default:
				return nil, bad
			}
			continue
		}
		sum, name, ok := strings.Cut(string(line), "  ")
		if i == 0 || !ok || !IsDigest(sum) || name == "" {
			return nil, bad
		}
		h.files = append(h.files, File{Path: name, SHA256: sum})
	}
	if len(lines) < 2 {
		return nil, fault("sums-form", 1)
	}
	return h, nil
}

// matches sees that the listed files are those that are there.
func (h *Head) matches(files []item) error {
	listed := map[string]string{}
	for _, f := range h.files {
		if _, twice := listed[f.Path]; twice {
			return fault("listed-twice", printable(f.Path))
		}
		listed[f.Path] = f.SHA256
	}
	for _, f := range files {
		want, ok := listed[f.path]
		if !ok {
			return fault("not-listed", f.path)
		}
		if want != sum(f.data) {
			return fault("other-sum", f.path)
		}
		delete(listed, f.path)
	}
	for _, f := range h.files {
		if _, left := listed[f.Path]; left {
			return fault("missing", printable(f.Path))
		}
	}
	return nil
}

// lie says where the list and what is in the archive differ, once every file is as
// it is listed.
func (h *Head) lie(p *Pack) *Error {
	for _, x := range [][3]string{{"name", h.Name, p.Name}, {"version", h.Version, p.Version}, {"content", h.Content, p.Content}} {
		if x[1] != x[2] {
			return fault("lie", x[0], printable(x[1]), x[2])
		}
	}
	if !slices.Equal(h.Needs, p.Needs) || !slices.Equal(h.Stands, p.Stands) {
		return fault("lie-stands")
	}
	return fault("not-canonical")
}

// HeadOf reads what the beginning of an archive says of it. None of it is verified:
// it is for looking through many.
func HeadOf(data []byte) (*Head, error) {
	if len(data) < block {
		return nil, fault("not-archive")
	}
	name, size, err := readHeader((*[block]byte)(data))
	if err != nil {
		return nil, err
	}
	if name != Sums || size > int64(len(data)-block) {
		return nil, fault("no-sums")
	}
	return readSums(data[block : block+size])
}
