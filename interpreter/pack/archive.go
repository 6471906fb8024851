package pack

import (
	"bytes"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"github.com/momon-rules/momon/interpreter/internal/manifest"
)

// An archive is an uncompressed POSIX ustar file. Uncompressed, since packs are
// small and what fetches them can compress on the way: nothing in it can grow, and
// looking at it costs little more than reading it. Tar, since it says each thing
// once; a zip file has its list of contents twice, and readers that believe
// different ones. Written by hand, since its bytes must be the same under every
// version of the library; the tests read it with archive/tar.

const block = 512

// stamp is the time of every file in every archive: 1980-01-01, the first day that
// all tools take for a time.
const stamp = 315532800

func padded(n int64) int64 { return (n + block - 1) / block * block }

// header is the block that stands before a file.
func header(name string, size int64) [block]byte {
	var h [block]byte
	prefix := ""
	if len(name) > 100 { // the first slash with at most 100 bytes behind it; MaxPath and MaxName see to it that there is one
		for i := range len(name) {
			if name[i] == '/' && len(name)-i-1 <= 100 {
				prefix, name = name[:i], name[i+1:]
				break
			}
		}
	}
	copy(h[0:100], name)
	copy(h[100:], "0000644\x00")
	copy(h[108:], "0000000\x00")
	copy(h[116:], "0000000\x00")
	copy(h[124:], fmt.Sprintf("%011o\x00", size))
	copy(h[136:], fmt.Sprintf("%011o\x00", stamp))
	copy(h[148:], "        ")
	h[156] = '0'
	copy(h[257:], "ustar\x0000")
	copy(h[329:], "0000000\x00")
	copy(h[337:], "0000000\x00")
	copy(h[345:500], prefix)
	copy(h[148:], fmt.Sprintf("%06o\x00 ", checksum(&h)))
	return h
}

func checksum(h *[block]byte) int {
	n := 0
	for i, b := range h {
		if i >= 148 && i < 156 {
			b = ' '
		}
		n += int(b)
	}
	return n
}

// pack writes an archive: the list of files first, then the files by path.
func pack(sums string, files []item) ([]byte, error) {
	size := block + padded(int64(len(sums))) + 2*block
	for _, f := range files {
		size += block + padded(int64(len(f.data)))
	}
	if size > MaxArchive {
		return nil, fault("large", MaxArchive>>20)
	}
	b := make([]byte, 0, size)
	for _, f := range append([]item{{Sums, []byte(sums)}}, files...) {
		h := header(f.path, int64(len(f.data)))
		b = append(b, h[:]...)
		b = append(b, f.data...)
		b = append(b, make([]byte, padded(int64(len(f.data)))-int64(len(f.data)))...)
	}
	return append(b, make([]byte, 2*block)...), nil
}

// other are the beginnings of files that somebody could take for a pack.
var other = []struct{ start, kind string }{
	{"\x1f\x8b", "gzip"}, {"PK\x03\x04", "zip"}, {"PK\x05\x06", "zip"}, {"\x28\xb5\x2f\xfd", "zstd"}, {"BZh", "bzip2"}, {"\xfd7zXZ", "xz"}, {"7z\xbc\xaf", "7z"},
}

// unpack cuts an archive into its files. It takes no memory beyond the archive.
func unpack(data []byte) (sums []byte, files []item, err error) {
	for _, o := range other {
		if bytes.HasPrefix(data, []byte(o.start)) {
			return nil, nil, fault("compressed", o.kind)
		}
	}
	switch {
	case len(data) == 0:
		return nil, nil, fault("empty")
	case len(data) > MaxArchive:
		return nil, nil, fault("large", MaxArchive>>20)
	case len(data) < block || !bytes.Equal(data[257:263], []byte("ustar\x00")):
		return nil, nil, fault("not-archive")
	}
	c := newClashes()
	last := ""
	for at := 0; ; {
		if len(data)-at < block {
			return nil, nil, fault("cut", len(data))
		}
		h := (*[block]byte)(data[at:])
		if *h == ([block]byte{}) {
			rest := data[at+block:]
			switch {
			case len(rest) < block:
				return nil, nil, fault("cut", len(data))
			case len(rest) > block || slices.ContainsFunc(rest, func(b byte) bool { return b != 0 }):
				return nil, nil, fault("behind-end", at+2*block)
			}
			break
		}
		name, size, err := readHeader(h)
		if err != nil {
			return nil, nil, err
		}
		first := at == 0
		if first != (name == Sums) {
			if first {
				return nil, nil, fault("no-sums")
			}
			return nil, nil, fault("sums-again")
		}
		if limit := limitOf(name); first {
			if size > MaxArchive {
				return nil, nil, fault("file-large", name, MaxArchive)
			}
		} else if size > limit {
			return nil, nil, fault("file-large", name, limit)
		}
		begin := int64(at + block)
		if begin+padded(size) > int64(len(data)) {
			return nil, nil, fault("cut-in", name, size)
		}
		body := data[begin : begin+size : begin+size]
		if slices.ContainsFunc(data[begin+size:begin+padded(size)], func(b byte) bool { return b != 0 }) {
			return nil, nil, fault("padding", name)
		}
		at = int(begin + padded(size))
		if first {
			sums = body
			continue
		}
		if len(files) == MaxFiles {
			return nil, nil, fault("many", MaxFiles)
		}
		if err := checkPath(name); err != nil {
			return nil, nil, err
		}
		if err := c.add(name); err != nil {
			return nil, nil, err
		}
		if name < last {
			return nil, nil, fault("order", name, last)
		}
		last = name
		files = append(files, item{name, body})
	}
	return sums, files, nil
}

// kinds are what a header can speak of beside a file.
var kinds = map[byte]string{
	'1': "hard-link", '2': "symbolic-link", '3': "device", '4': "device", '5': "folder", '6': "pipe", '7': "reserved",
	'x': "extension", 'g': "extension", 'L': "extension", 'K': "extension", 'S': "sparse", 'D': "folder", 'M': "extension", 'V': "extension", 'X': "extension",
}

// readHeader reads a header and sees that it is the only one that the file could
// have.
func readHeader(h *[block]byte) (name string, size int64, err error) {
	name = text(h[0:100])
	if prefix := text(h[345:500]); prefix != "" {
		name = prefix + "/" + name
	}
	if n, err := strconv.ParseUint(strings.Trim(text(h[148:156]), " \x00"), 8, 32); err != nil || int(n) != checksum(h) {
		return "", 0, fault("header-sum", printable(name))
	}
	if t := h[156]; t != '0' {
		kind, ok := kinds[t]
		if !ok {
			kind = "unknown"
		}
		return "", 0, fault("kind-"+kind, printable(name))
	}
	digits := string(h[124:135])
	for i := range digits {
		if digits[i] < '0' || digits[i] > '7' {
			return "", 0, fault("size", printable(name))
		}
	}
	n, err := strconv.ParseInt(digits, 8, 64)
	if err != nil || h[135] != 0 {
		return "", 0, fault("size", printable(name))
	}
	if len(name) > MaxPath {
		return "", 0, fault("path-long", printable(name), MaxPath)
	}
	if header(name, n) != *h {
		if err := checkPath(name); err != nil { // most likely why
			return "", 0, err
		}
		return "", 0, fault("header", printable(name))
	}
	return name, n, nil
}

// text is what stands before the first NUL.
func text(b []byte) string {
	if i := bytes.IndexByte(b, 0); i >= 0 {
		b = b[:i]
	}
	return string(b)
}

// checkPath sees that a path is one file below the folder on every system.
func checkPath(name string) error {
	show := printable(name)
	switch {
	case name == "":
		return fault("path-empty")
	case !utf8.ValidString(name):
		return fault("path-utf8", show)
	case len(name) > MaxPath:
		return fault("path-long", show, MaxPath)
	case strings.HasPrefix(name, "/"), strings.HasPrefix(name, `\`), len(name) > 1 && name[1] == ':':
		return fault("path-absolute", show)
	case strings.Contains(name, `\`):
		return fault("path-sign", show, `\`)
	}
	parts := strings.Split(name, "/")
	for i, p := range parts {
		switch {
		case p == "..":
			return fault("path-out", show)
		case p == "." || p == "":
			return fault("path-form", show)
		case len(p) > MaxName:
			return fault("path-long", show, MaxName)
		case p[0] == '.' || p[0] == '_':
			return fault("path-hidden", show)
		case p[len(p)-1] == '.' || p[len(p)-1] == ' ' || p[0] == ' ':
			return fault("path-form", show)
		case manifest.Device(p):
			return fault("path-device", show)
		case i == len(parts)-1 && !packed(p):
			return fault("path-kind", show)
		}
	}
	for _, r := range name {
		if r < ' ' || r == 0x7f || strings.ContainsRune(`<>:"|?*`, r) || r == utf8.RuneError || r != ' ' && !unicode.IsPrint(r) {
			return fault("path-sign", show, fmt.Sprintf("U+%04X", r))
		}
	}
	switch {
	case len(parts) > MaxDepth+1:
		return fault("path-deep", show, MaxDepth)
	case !norm.NFC.IsNormalString(name):
		return fault("path-normal", show)
	case strings.EqualFold(parts[0], Sums):
		return fault("path-taken", show)
	case !fs.ValidPath(name):
		return fault("path-form", show)
	}
	return nil
}

// clashes finds paths that are the same on some system: there, one file would take
// the place of another.
type clashes struct {
	fold cases.Caser
	seen map[string]string // folded path to the path that has it
	file map[string]bool   // folded paths of files
}

func newClashes() *clashes {
	return &clashes{cases.Fold(), map[string]string{}, map[string]bool{}}
}

func (c *clashes) key(s string) string { return norm.NFKC.String(c.fold.String(norm.NFKC.String(s))) }

func (c *clashes) add(name string) error {
	for i := range len(name) + 1 {
		if i < len(name) && name[i] != '/' {
			continue
		}
		p, whole := name[:i], i == len(name)
		k := c.key(p)
		old, there := c.seen[k]
		switch {
		case there && (whole || c.file[k]), there && old != p:
			return fault("clash", printable(old), printable(name))
		case !there:
			c.seen[k] = p
			c.file[k] = whole
		}
	}
	return nil
}

// printable is a name that can be shown whatever it holds.
func printable(s string) string {
	q := strconv.Quote(s)
	if len(s) > 3*MaxPath {
		q = strconv.Quote(s[:3*MaxPath]) + "…"
	}
	if q[1:len(q)-1] == s {
		return s
	}
	return q[1 : len(q)-1]
}
