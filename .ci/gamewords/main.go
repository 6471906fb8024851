// Command gamewords checks that no Go file outside tests speaks of the game:
// names belong to rule data. Its words are the names that rules and cards
// declare; common English words that Go code needs as well stand in exempt.txt,
// each with its reason, and an entry that nothing needs is reported too.
//
//	go run ./.ci/gamewords [FOLDER]
package main

import (
	"bufio"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"unicode"

	"github.com/momon-rules/momon/grammar"
	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/grammar/source"
)

func main() {
	root := "."
	if len(os.Args) > 1 {
		root = os.Args[1]
	}
	n, err := run(root)
	if err != nil {
		fmt.Fprintln(os.Stderr, "gamewords:", err)
		os.Exit(2)
	}
	if n > 0 {
		fmt.Fprintf(os.Stderr, "gamewords: %d game words in Go\n", n)
		os.Exit(1)
	}
}

func run(root string) (int, error) {
	words, err := gameWords(filepath.Join(root, "rules"), filepath.Join(root, "cards"))
	if err != nil {
		return 0, err
	}
	exempt, err := exemptions(filepath.Join(root, ".ci/gamewords/exempt.txt"))
	if err != nil {
		return 0, err
	}
	used := map[string]bool{}
	found := 0
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name := d.Name(); d.IsDir() && path != root && (strings.HasPrefix(name, ".") || name == "testdata" || name == "examples" || name == "fakes") {
			return fs.SkipDir
		}
		// Translators of another program's works, and makers of works to measure,
		// speak the game's words as tests do. Their files end in _works.go.
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.HasSuffix(path, "_works.go") {
			return nil
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		imports := map[ast.Node]bool{}
		for _, im := range f.Imports {
			imports[im.Path] = true
		}
		ast.Inspect(f, func(n ast.Node) bool {
			text := ""
			switch n := n.(type) {
			case *ast.Ident:
				text = n.Name
			case *ast.BasicLit:
				if n.Kind != token.STRING || imports[n] {
					return true
				}
				text, _ = strconv.Unquote(n.Value)
			case *ast.Field:
				if n.Tag != nil {
					imports[n.Tag] = true // struct tags are Go's
				}
				return true
			default:
				return true
			}
			for _, w := range split(text) {
				word, where := match(words, w)
				if word == "" {
					continue
				}
				ok := false
				for _, x := range []string{word, w} {
					if _, yes := exempt[x]; yes {
						used[x], ok = true, true
					}
				}
				if ok {
					continue
				}
				found++
				fmt.Printf("%s: %q is a game word (%s)\n", fset.Position(n.Pos()), w, where)
			}
			return true
		})
		return nil
	})
	for w := range exempt {
		if !used[w] && err == nil {
			found++
			fmt.Printf(".ci/gamewords/exempt.txt: nothing needs %q any more\n", w)
		}
	}
	return found, err
}

// match finds the game word that a word of Go is, also in its common forms.
func match(words map[string]string, w string) (word, where string) {
	for _, end := range []string{"", "s", "es", "ed", "d", "ing"} {
		if base, ok := strings.CutSuffix(w, end); ok {
			if where, ok := words[base]; ok {
				return base, where
			}
		}
	}
	return "", ""
}

// split cuts an identifier or text into words, in small letters.
func split(s string) []string {
	var out []string
	var b []rune
	flush := func() {
		if len(b) > 0 {
			out = append(out, strings.ToLower(string(b)))
			b = b[:0]
		}
	}
	var last rune
	for _, r := range s {
		switch {
		case !unicode.IsLetter(r):
			flush()
		case unicode.IsUpper(r) && unicode.IsLower(last):
			flush()
			b = append(b, r)
		default:
			b = append(b, r)
		}
		last = r
	}
	flush()
	return out
}

// gameWords reads the names that rule files declare.
func gameWords(dirs ...string) (map[string]string, error) {
	words := map[string]string{}
	add := func(name, where string) {
		for _, w := range split(name) {
			if len([]rune(w)) > 2 && words[w] == "" {
				words[w] = where + " " + name
			}
		}
	}
	for _, dir := range dirs {
		files, err := filepath.Glob(filepath.Join(dir, "*.momon"))
		if err != nil {
			return nil, err
		}
		sort.Strings(files)
		for _, path := range files {
			data, err := os.ReadFile(path)
			if err != nil {
				return nil, err
			}
			var diags diag.List
			for _, d := range grammar.Parse(source.NewFile(path, string(data)), &diags).Decls {
				names(d, add)
			}
			if diags.Errors() > 0 {
				return nil, fmt.Errorf("%s has errors", path)
			}
		}
	}
	if len(words) == 0 {
		return nil, fmt.Errorf("no rule data in %s", strings.Join(dirs, ", "))
	}
	return words, nil
}

func names(d *grammar.Decl, add func(name, where string)) {
	chars := func(list []*grammar.Char) {
		for _, c := range list {
			add(c.Name.Text, "characteristic")
		}
	}
	lines := func(list []*grammar.ActLine) {
		for _, l := range list {
			if l.Char != nil {
				add(l.Char.Name.Text, "characteristic")
			}
			if l.Gathers != nil {
				add(l.Gathers.Name.Text, "characteristic")
			}
		}
	}
	switch {
	case d.Plain != nil:
		switch d.Head {
		case "values":
			add(d.Plain.Title.Text, "values")
			for _, l := range d.Plain.Lines {
				add(l.Head.Text, d.Plain.Title.Text)
			}
		case "kind", "zone", "layer":
			add(d.Plain.Title.Text, d.Head)
		}
	case d.Char != nil:
		chars([]*grammar.Char{d.Char})
	case d.Table != nil:
		add(d.Table.Name.Text, "table")
	case d.Action != nil:
		add(d.Action.Name.Text, "action")
		lines(d.Action.Lines)
	case d.Step != nil:
		add(d.Step.Name.Text, "step")
		lines(d.Step.Lines)
	case d.Token != nil:
		add(d.Token.Name.Text, "token")
		chars(d.Token.Chars)
	case d.Rules != nil && d.Head != "errata":
		add(d.Rules.Name.Text, d.Head)
	}
}

// exemptions reads lines of a word, a tab or spaces, and its reason.
func exemptions(path string) (map[string]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	out := map[string]string{}
	s := bufio.NewScanner(f)
	for n := 1; s.Scan(); n++ {
		line := strings.TrimSpace(s.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		word, reason, _ := strings.Cut(line, " ")
		if strings.TrimSpace(reason) == "" {
			return nil, fmt.Errorf("%s:%d: %q has no reason", path, n, word)
		}
		out[word] = strings.TrimSpace(reason)
	}
	return out, s.Err()
}
