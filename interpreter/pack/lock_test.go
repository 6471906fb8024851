package pack

import (
	"errors"
	"flag"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// shelf is what is at hand: "a 1.0.0" or "a 1.0.0: b 1.0.0 2.0.0, c" (from, until).
func shelf(lines ...string) func(string) []Locked {
	all := map[string][]Locked{}
	for _, line := range lines {
		head, tail, _ := strings.Cut(line, ":")
		name, version, _ := strings.Cut(head, " ")
		p := Locked{Name: name, Version: version, Content: sum([]byte(head))}
		for _, s := range strings.Split(tail, ",") {
			if w := strings.Fields(s); len(w) > 0 {
				st := Stand{Name: w[0]}
				if len(w) > 1 {
					st.From = w[1]
				}
				if len(w) > 2 {
					st.Until = w[2]
				}
				p.Stands = append(p.Stands, st)
			}
		}
		all[name] = append(all[name], p)
	}
	return func(name string) []Locked { return all[name] }
}

func names(l *Lock) string {
	var out []string
	for _, p := range l.Packs {
		out = append(out, p.Name+" "+p.Version)
	}
	return strings.Join(out, ", ")
}

func TestResolve(t *testing.T) {
	for _, c := range []struct {
		name, want, code string
		stands           []Stand
		shelf            []string
	}{
		{name: "nothing"},
		{name: "the highest", stands: []Stand{{Name: "a"}}, shelf: []string{"a 1.0.0", "a 1.10.0", "a 1.9.0"}, want: "a 1.10.0"},
		{name: "below a bound", stands: []Stand{{Name: "a", From: "1.0.0", Until: "2.0.0"}}, shelf: []string{"a 0.9.0", "a 1.4.0", "a 2.0.0", "a 2.0.0-draft.1"}, want: "a 1.4.0"},
		{name: "no draft", stands: []Stand{{Name: "a"}}, shelf: []string{"a 1.0.0", "a 1.1.0-draft.1"}, want: "a 1.0.0"},
		{name: "only a draft", stands: []Stand{{Name: "a"}}, shelf: []string{"a 1.1.0-draft.1"}, want: "a 1.1.0-draft.1"},
		{name: "the base first", stands: []Stand{{Name: "set"}}, shelf: []string{"set 1.0.0: words, base", "words 1.0.0: base", "base 1.0.0"}, want: "base 1.0.0, words 1.0.0, set 1.0.0"},
		{name: "shared", stands: []Stand{{Name: "a"}, {Name: "b"}}, shelf: []string{"a 1.0.0: c 1.0.0", "b 1.0.0: c 1.0.0 2.0.0", "c 1.5.0", "c 2.0.0"}, want: "c 1.5.0, a 1.0.0, b 1.0.0"},
		{name: "an older one that fits", stands: []Stand{{Name: "a"}, {Name: "c", Until: "2.0.0"}}, shelf: []string{"a 2.0.0: c 2.0.0", "a 1.0.0: c", "c 1.0.0", "c 2.0.0"}, want: "c 1.0.0, a 1.0.0"},
		{name: "none", stands: []Stand{{Name: "a"}}, code: "resolve-none"},
		{name: "none below", stands: []Stand{{Name: "a"}}, shelf: []string{"a 1.0.0: b"}, code: "resolve-none"},
		{name: "no version", stands: []Stand{{Name: "a", From: "3.0.0"}}, shelf: []string{"a 1.0.0"}, code: "resolve-versions"},
		{name: "no digest", stands: []Stand{{Name: "a", Digest: strings.Repeat("0", 64)}}, shelf: []string{"a 1.0.0"}, code: "resolve-digest"},
		{name: "no common version", stands: []Stand{{Name: "a"}, {Name: "b"}}, shelf: []string{"a 1.0.0: c 2.0.0", "b 1.0.0: c 1.0.0 2.0.0", "c 1.0.0", "c 2.0.0"}, code: "resolve-conflict"},
		{name: "a circle", stands: []Stand{{Name: "a"}}, shelf: []string{"a 1.0.0: b", "b 1.0.0: a"}, code: "resolve-circle"},
		{name: "on the root", stands: []Stand{{Name: "a"}}, shelf: []string{"a 1.0.0: root", "root 1.0.0"}, code: "resolve-circle"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l, err := Resolve("root", c.stands, shelf(c.shelf...))
			if c.code != "" {
				var e *Error
				if !errors.As(err, &e) || e.Code != c.code || strings.Contains(e.Text("th")+e.Text("en"), "%!") {
					t.Fatalf("%v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := names(l); got != c.want {
				t.Errorf("%s, not %s", got, c.want)
			}
		})
	}
}

// TestResolveFits: whatever is at hand, what is chosen fits together, and where a
// try of every choice finds something, so does Resolve.
func TestResolveFits(t *testing.T) {
	if f := flag.Lookup("rapid.seed"); f.Value.String() == "0" { // the same each time; -rapid.seed N tries others
		f.Value.Set("1")
		t.Cleanup(func() { f.Value.Set("0") })
	}
	rapid.Check(t, func(t *rapid.T) {
		var lines []string
		for _, name := range []string{"a", "b", "c"} {
			for v := range rapid.IntRange(0, 3).Draw(t, "versions") {
				line := fmt.Sprintf("%s %d.0.0:", name, v+1)
				for _, on := range []string{"b", "c", "d"} {
					if on > name && rapid.Bool().Draw(t, "stands") {
						from := rapid.IntRange(0, 3).Draw(t, "from")
						line += fmt.Sprintf(" %s %d.0.0 %d.0.0,", on, from, from+rapid.IntRange(1, 3).Draw(t, "until"))
					}
				}
				lines = append(lines, line)
			}
		}
		lines = append(lines, "d 1.0.0", "d 2.0.0", "d 3.0.0")
		known := shelf(lines...)
		stands := []Stand{{Name: "a"}, {Name: "b"}}
		fits := func(pick map[string]Locked) bool {
			ok := func(list []Stand) bool {
				for _, s := range list {
					if p, there := pick[s.Name]; !there || !s.Fits(p.Version) {
						return false
					}
				}
				return true
			}
			for _, p := range pick {
				if !ok(p.Stands) {
					return false
				}
			}
			return ok(stands)
		}
		possible := false
		var try func(names []string, pick map[string]Locked)
		try = func(names []string, pick map[string]Locked) {
			if len(names) == 0 {
				possible = possible || fits(pick)
				return
			}
			try(names[1:], pick)
			for _, p := range known(names[0]) {
				pick[names[0]] = p
				try(names[1:], pick)
				delete(pick, names[0])
			}
		}
		try([]string{"a", "b", "c", "d"}, map[string]Locked{})
		l, err := Resolve("root", stands, known)
		if (err == nil) != possible {
			t.Fatalf("%v, possible: %v\n%s", err, possible, strings.Join(lines, "\n"))
		}
		if err != nil {
			return
		}
		pick := map[string]Locked{}
		for _, p := range l.Packs {
			for _, s := range p.Stands {
				if _, below := pick[s.Name]; !below {
					t.Fatalf("%s comes before %s", p.Name, s.Name)
				}
			}
			pick[p.Name] = p
		}
		if !fits(pick) {
			t.Fatalf("%s does not fit", names(l))
		}
	})
}

func TestLockFile(t *testing.T) {
	l := &Lock{Packs: []Locked{{Name: "a", Version: "1.0.0", Content: sum(nil), Raw: sum(nil)}, {Name: "b", Version: "1.0.0", Content: sum(nil)}}}
	text, err := l.Text()
	if err != nil {
		t.Fatal(err)
	}
	m, err := ParseLock(text)
	if err != nil || names(m) != names(l) || m.Packs[0].Raw != sum(nil) {
		t.Fatal(m, err)
	}
	for _, c := range [][3]string{
		{"cut", "}\n", ""}, {"behind", "}\n", "}{}"}, {"unknown", `"name"`, `"nome"`}, {"newer", `"momon_lock": 1`, `"momon_lock": 2`},
		{"no form", `"momon_lock": 1,`, ""}, {"name", `"a"`, `"../a"`}, {"version", `"1.0.0"`, `"1"`}, {"digest", sum(nil), "00"}, {"twice", `"b"`, `"a"`},
	} {
		changed := strings.Replace(string(text), c[1], c[2], 1)
		if c[0] == "cut" {
			changed = string(text[:len(text)-3])
		}
		if changed == string(text) {
			t.Fatal(c[0])
		}
		var e *Error
		if _, err := ParseLock([]byte(changed)); !errors.As(err, &e) || !strings.HasPrefix(e.Code, "lock-") {
			t.Errorf("%s: %v", c[0], err)
		}
	}
}
