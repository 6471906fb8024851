package pack

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/momon-rules/momon/grammar"
	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/grammar/source"
)

func parse(name, text string) *grammar.File {
	return grammar.Parse(source.NewFile(name, text), &diag.List{})
}

// raw is an archive as its maker wants it, right or wrong.
type raw struct{ b []byte }

func (r *raw) add(name string, data string, edit ...func(h *[block]byte)) *raw {
	h := header(name, int64(len(data)))
	for _, f := range edit {
		f(&h)
		resum(&h)
	}
	r.b = append(r.b, h[:]...)
	r.b = append(r.b, data...)
	r.b = append(r.b, make([]byte, padded(int64(len(data)))-int64(len(data)))...)
	return r
}

func resum(h *[block]byte) { copy(h[148:], fmt.Sprintf("%06o\x00 ", checksum(h))) }

func (r *raw) end() []byte { return append(r.b, make([]byte, 2*block)...) }

// named puts a name into a header as it stands.
func named(name string) func(h *[block]byte) {
	return func(h *[block]byte) {
		clear(h[0:100])
		copy(h[0:100], name)
	}
}

func typed(t byte) func(h *[block]byte) { return func(h *[block]byte) { h[156] = t } }

func at(i int, s string) func(h *[block]byte) { return func(h *[block]byte) { copy(h[i:], s) } }

// TestHostile holds that archives which try something are refused, each for its own
// reason. Where the list of files has to be right for the archive to get that far,
// it is.
func TestHostile(t *testing.T) {
	good := folder(t, tides())
	list := func(files map[string]string) string { // the list that these files would have
		p := *good
		p.Files = nil
		for name, text := range files {
			p.Files = append(p.Files, File{Path: name, SHA256: sum([]byte(text))})
		}
		slices.SortFunc(p.Files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
		return p.sums()
	}
	// with is a good archive with one file more, written as it is said.
	with := func(name, data string, edit ...func(h *[block]byte)) []byte {
		files := tides()
		files[name] = data
		r := (&raw{}).add(Sums, list(files))
		var names []string
		for n := range files {
			names = append(names, n)
		}
		slices.Sort(names)
		for _, n := range names {
			if n == name {
				r.add("x.md", data, append([]func(h *[block]byte){named(name)}, edit...)...)
			} else {
				r.add(n, files[n])
			}
		}
		return r.end()
	}
	// sums is a good archive with another list.
	sums := func(change func(s string) string) []byte {
		r := (&raw{}).add(Sums, change(good.sums()))
		for _, f := range good.Files {
			r.add(f.Path, tides()[f.Path])
		}
		return r.end()
	}
	replace := func(old, new string) func(string) string {
		return func(s string) string {
			if !strings.Contains(s, old) {
				t.Fatalf("%q is not there", old)
			}
			return strings.Replace(s, old, new, 1)
		}
	}
	a := good.Archive()
	zipped := func() []byte {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		w.Write(a)
		w.Close()
		return b.Bytes()
	}()
	flip := func(i int) []byte { b := bytes.Clone(a); b[i] ^= 1; return b }
	body := bytes.Index(a, []byte("keyword Swell"))
	pad := bytes.Index(a, []byte("# Tides\n")) + 100
	var many raw
	many.add(Sums, good.sums())
	for i := range MaxFiles + 1 {
		many.add(fmt.Sprintf("f%06d.md", i), "")
	}
	for _, c := range []struct {
		name, code string
		data       []byte
	}{
		{"nothing", "empty", nil},
		{"a text", "not-archive", []byte(strings.Repeat("hello ", 200))},
		{"zeros", "not-archive", make([]byte, 4096)},
		{"gzip", "compressed", zipped},
		{"zip", "compressed", []byte("PK\x03\x04" + strings.Repeat("x", 2000))},
		{"zstd", "compressed", []byte("\x28\xb5\x2f\xfd" + strings.Repeat("x", 2000))},
		{"xz", "compressed", []byte("\xfd7zXZ\x00" + strings.Repeat("x", 2000))},
		{"too large", "large", append(bytes.Clone(a), make([]byte, MaxArchive)...)},

		{"up and out", "path-out", with("../evil.momon", "language 1\n")},
		{"up and out inside", "path-out", with("a/../../evil.momon", "language 1\n")},
		{"only up", "path-out", with("..", "x")},
		{"absolute", "path-absolute", with("/etc/evil.momon", "language 1\n")},
		{"absolute on Windows", "path-absolute", with(`\evil.momon`, "language 1\n")},
		{"a drive", "path-absolute", with("C:/evil.momon", "language 1\n")},
		{"a share", "path-absolute", with(`\\host\evil.momon`, "language 1\n")},
		{"backslash", "path-sign", with(`a\..\evil.momon`, "language 1\n")},
		{"a stream", "path-sign", with("a.momon:evil.md", "x")},
		{"a star", "path-sign", with("a*.momon", "language 1\n")},
		{"a control", "path-sign", with("a\x1b[2J.momon", "language 1\n")},
		{"a line end", "path-sign", with("a\nb.momon", "language 1\n")},
		{"turned writing", "path-sign", with("a\u202enomom.momon", "language 1\n")},
		{"an invisible sign", "path-sign", with("a\u200bb.momon", "language 1\n")},
		{"a point", "path-form", with("./a.momon", "language 1\n")},
		{"an empty part", "path-form", with("a//b.momon", "language 1\n")},
		{"a slash behind", "path-form", with("a.md/", "x")},
		{"a point behind", "path-form", with("a./b.momon", "language 1\n")},
		{"a blank behind", "path-form", with("a /b.momon", "language 1\n")},
		{"hidden", "path-hidden", with(".git/config.txt", "x")},
		{"passed over", "path-hidden", with("_a.momon", "language 1\n")},
		{"a device", "path-device", with("con.momon", "language 1\n")},
		{"a device in a folder", "path-device", with("a/LPT1.txt", "x")},
		{"a raised device", "path-device", with("com¹.txt", "x")},
		{"a program", "path-kind", with("run.sh", "rm -rf /")},
		{"no kind", "path-kind", with("run", "x")},
		{"bad UTF-8", "path-utf8", with("a\xff\xfe.momon", "language 1\n")},
		{"Latin-1", "path-utf8", with("caf\xe9.momon", "language 1\n")},
		{"normal form D", "path-normal", with("cafe\u0301.momon", "language 1\n")},
		{"deep", "path-deep", with(strings.Repeat("d/", 9)+"a.momon", "language 1\n")},
		{"very deep", "path-deep", with(strings.Repeat("d/", 40)+"a.momon", "language 1\n")},
		{"the list again, small", "path-taken", with("sha256sums/a.md", "x")},
		{"no name", "path-empty", with("", "x")},

		{"the same twice", "clash", (&raw{}).add(Sums, good.sums()).add("a.md", "x").add("a.md", "y").end()},
		{"the same by case", "clash", (&raw{}).add(Sums, good.sums()).add("A.md", "x").add("a.md", "y").end()},
		{"a folder by case", "clash", (&raw{}).add(Sums, good.sums()).add("A/a.md", "x").add("a/b.md", "y").end()},
		{"long s", "clash", (&raw{}).add(Sums, good.sums()).add("s.md", "x").add("\u017f.md", "y").end()},
		{"sharp s", "clash", (&raw{}).add(Sums, good.sums()).add("ss.md", "x").add("ß.md", "y").end()},
		{"wide letters", "clash", (&raw{}).add(Sums, good.sums()).add("a.md", "x").add("ａ.md", "y").end()},
		{"a file and a folder", "clash", (&raw{}).add(Sums, good.sums()).add("a.md", "x").add("a.md/b.md", "y").end()},
		{"a folder and a file", "order", (&raw{}).add(Sums, good.sums()).add("b.md", "x").add("a.md", "y").end()},

		{"a symbolic link", "kind-symbolic-link", with("l.md", "", typed('2'), at(157, "/etc/passwd"))},
		{"a link", "kind-hard-link", with("l.md", "", typed('1'), at(157, "README.md"))},
		{"a character device", "kind-device", with("l.md", "", typed('3'))},
		{"a block device", "kind-device", with("l.md", "", typed('4'))},
		{"a folder", "kind-folder", with("l.md", "", typed('5'))},
		{"a pipe", "kind-pipe", with("l.md", "", typed('6'))},
		{"a long name", "kind-extension", with("l.md", "../../evil\x00", typed('L'))},
		{"a pax header", "kind-extension", with("l.md", "30 path=../../../../../../evil\n", typed('x'))},
		{"a pax header for all", "kind-extension", with("l.md", "20 size=99999999999\n", typed('g'))},
		{"holes", "kind-sparse", with("l.md", "x", typed('S'))},
		{"an old file", "kind-unknown", with("l.md", "x", typed(0))},
		{"set user", "header", with("l.md", "x", at(100, "0004755"))},
		{"an owner", "header", with("l.md", "x", at(108, "0001750"))},
		{"a user", "header", with("l.md", "x", at(265, "root"))},
		{"a time", "header", with("l.md", "x", at(136, "77777777777"))},
		{"a link's goal", "header", with("l.md", "x", at(157, "/etc/passwd"))},
		{"behind the name", "header", with("l.md", "x", at(10, "hidden"))},
		{"in the rest", "header", with("l.md", "x", at(505, "hidden"))},
		{"GNU", "header", with("l.md", "x", at(257, "ustar  \x00"))},
		{"a prefix", "path-out", with("l.md", "x", at(345, ".."))},
		{"a needless prefix", "header", with("l.md", "x", at(345, "d"))},
		{"a damaged header", "header-sum", flip(4)},

		{"smaller than it says", "cut-in", with("ๆ.md", "x", at(124, "00000777777"))},
		{"far smaller than it says", "file-large", with("l.md", "x", at(124, "00077777777"))},
		{"a size in base 256", "size", with("l.md", "x", at(124, "\x80\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01"))},
		{"a size below nothing", "size", with("l.md", "x", at(124, "-0000000001"))},
		{"a size with a blank", "size", with("l.md", "x", at(124, "         01 "))},
		{"larger than it says", "padding", with("l.md", strings.Repeat("x", 2000), at(124, "00000000001"))},
		{"huge rules", "file-large", with("l.momon", strings.Repeat("#", MaxRules+4))},
		{"huge text", "file-large", with("l.md", strings.Repeat("x", MaxText+1))},
		{"very many", "many", many.end()},
		{"in the padding", "padding", func() []byte { b := bytes.Clone(a); b[pad] = 'x'; return b }()},
		{"behind the end", "behind-end", append(bytes.Clone(a), "evil"...)},
		{"zeros behind the end", "behind-end", append(bytes.Clone(a), make([]byte, block)...)},
		{"two in one", "behind-end", append(bytes.Clone(a), a...)},
		{"no end", "cut", a[:len(a)-2*block]},
		{"half an end", "cut", a[:len(a)-block]},
		{"a byte less", "cut", a[:len(a)-1]},
		{"half", "cut-in", a[:body+3]},

		{"no list", "no-sums", (&raw{}).add("README.md", "x").end()},
		{"a list later", "no-sums", (&raw{}).add("README.md", "x").add(Sums, good.sums()).end()},
		{"two lists", "sums-again", (&raw{}).add(Sums, good.sums()).add(Sums, good.sums()).end()},
		{"an empty list", "sums-form", sums(func(string) string { return "" })},
		{"a list of words", "sums-form", sums(func(string) string { return "hello\n" })},
		{"a cut list", "sums-form", sums(func(s string) string { return s[:len(s)-1] })},
		{"a newer form", "newer-form", sums(replace("momon pack 1", "momon pack 2"))},
		{"a newer language", "newer-language", sums(replace("# language 1", "# language 2"))},
		{"a need", "feature", sums(replace("# needs views", "# needs wings"))},
		{"a strange line", "sums-form", sums(replace("# name", "# run rm -rf / #"))},
		{"another digest", "other-sum", sums(func(s string) string {
			return strings.Replace(s, sum([]byte("# Tides\n")), sum([]byte("evil")), 1)
		})},
		{"a changed file", "other-sum", flip(body)},
		{"one listed and not there", "missing", sums(func(s string) string { return s + sum(nil) + "  z.md\n" })},
		{"one listed that leads out", "missing", sums(func(s string) string { return s + sum(nil) + "  ../../z.md\n" })},
		{"one there and not listed", "not-listed", func() []byte {
			r := (&raw{}).add(Sums, good.sums())
			for _, f := range good.Files {
				r.add(f.Path, tides()[f.Path])
			}
			return r.add("ๆ.md", "x").end()
		}()},
		{"listed twice", "listed-twice", sums(func(s string) string { return s + s[strings.LastIndex(s[:len(s)-1], "\n")+1:] })},
		{"another name", "lie", sums(replace("# name tides", "# name other"))},
		{"another version", "lie", sums(replace("# version 1.2.0", "# version 9.2.0"))},
		{"another content", "lie", sums(replace("# content "+good.Content, "# content "+sum(nil)))},
		{"another base", "lie-stands", sums(replace("stands on wonder-rules", "stands on other-rules"))},
		{"a wider range", "lie-stands", sums(replace("until 2.0.0", "until 3.0.0"))},
		{"one need less", "lie-stands", sums(replace("# needs cases\n", ""))},
		{"listed in another order", "not-canonical", sums(func(s string) string {
			lines := strings.SplitAfter(s, "\n")
			n := len(lines)
			lines[n-2], lines[n-3] = lines[n-3], lines[n-2]
			return strings.Join(lines, "")
		})},
		{"a line twice", "not-canonical", sums(replace("# name tides\n", "# name tides\n# name tides\n"))},
		{"no manifest", "no-manifest", (&raw{}).add(Sums, (&Pack{Name: "x", Version: "1.0.0", Language: 1, Content: sum(nil), Files: []File{{Path: "a.md", SHA256: sum([]byte("x"))}}}).sums()).add("a.md", "x").end()},
		{"rules that can't be read", "rules", with("l.momon", "keyword {{{{")},
		{"rules nested deep", "rules", with("l.momon", "keyword A { "+strings.Repeat("On Summon { ", 3000)+"}")},
		{"rules that are not UTF-8", "rules", with("l.momon", "keyword A\xff {}")},
		{"rules in a newer language", "rules", with("l.momon", "language 2\n")},
		{"a module inside", "no-part", with("in/module.momon", "language 1\n")},
	} {
		t.Run(c.name, func(t *testing.T) {
			kept := bytes.Clone(c.data)
			p, err := FromArchive(c.data)
			var e *Error
			if !errors.As(err, &e) || p != nil {
				t.Fatalf("not refused: %v", err)
			}
			if e.Code != c.code {
				t.Errorf("%s, not %s: %v", e.Code, c.code, err)
			}
			for _, lang := range []string{"en", "th"} {
				if text := e.Text(lang); strings.Contains(text, "%!") || strings.ContainsAny(text, "\x1b\n\u202e") {
					t.Errorf("told as %q", text)
				}
			}
			if !bytes.Equal(kept, c.data) {
				t.Error("the data was changed")
			}
		})
	}
}

// TestEveryByte: whatever single byte of an archive is changed or left away, it is
// refused, and for what is left of it too.
func TestEveryByte(t *testing.T) {
	a := folder(t, map[string]string{"module.momon": manifestText, "README.md": "x"}).Archive()
	for i := range a {
		b := bytes.Clone(a)
		b[i] ^= 0x20
		if _, err := FromArchive(b); err == nil {
			t.Errorf("byte %d can be changed", i)
		}
	}
	for i := range a {
		if _, err := FromArchive(a[:i]); err == nil {
			t.Errorf("%d bytes are enough", i)
		}
	}
}

// FuzzArchive: whatever is in an archive, and whatever somebody writes over a part of
// it, the reader neither breaks nor believes anything that it would not write itself.
// The input is what to write, not an archive: that would be too long to try much.
func FuzzArchive(f *testing.F) {
	f.Add("a.md", "x", "b/c.momon", "language 1\n", uint16(0), "")
	f.Add("rules/a.momon", "", "rules/skeletons/a.momon", "x", uint16(156), "2")
	f.Add("../a.md", "x", "A.md", "y", uint16(0), "")
	f.Add("a.md", "x", "b.md", "y", uint16(512), "# momon pack 2\n")
	f.Add("a.md", "x", "b.md", "y", uint16(600), "# needs x\n")
	f.Fuzz(func(t *testing.T, one, body1, two, body2 string, at uint16, over string) {
		files := map[string]string{"module.momon": manifestText, one: body1, two: body2}
		var data []byte
		var p *Pack
		err := errors.New("such a folder can't be")
		if fs.ValidPath(one) && fs.ValidPath(two) {
			p, err = FromFolder(mapFS(files))
		}
		if err == nil {
			data = bytes.Clone(p.Archive())
		} else { // as somebody would write it who wants it to be read
			q := &Pack{Name: "tides", Version: "1.2.0", Language: 1, Content: sum(nil)}
			var names []string
			for name, text := range files {
				names = append(names, name)
				q.Files = append(q.Files, File{Path: name, SHA256: sum([]byte(text))})
			}
			slices.Sort(names)
			r := (&raw{}).add(Sums, q.sums())
			for _, name := range names {
				r.add("x", files[name], named(name))
			}
			data = r.end()
		}
		if i := int(at); i < len(data) {
			copy(data[i:], over)
		}
		for _, mend := range []bool{false, true} {
			if mend { // the sums of headers made right, so that more lies behind them
				for i := 0; i+block <= len(data); {
					h := (*[block]byte)(data[i:])
					resum(h)
					n, _ := strconv.ParseInt(text(h[124:135]), 8, 32)
					i += block + int(padded(max(n, 0)))
				}
			}
			HeadOf(data)
			p, err := FromArchive(data)
			if err != nil {
				var e *Error
				if !errors.As(err, &e) {
					t.Fatalf("%T %v", err, err)
				}
				if text := e.Text("th"); strings.Contains(text, "%!") && !bytes.Contains(data, []byte("%!")) { // a hole that was not filled
					t.Fatal(text)
				}
				continue
			}
			q, err := FromFolder(p.FS())
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(q.Archive(), data) || q.Raw != p.Raw || q.Content != p.Content {
				t.Fatal("there are two archives of one folder")
			}
		}
	})
}
