package cli

import (
	"bufio"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	mrand "math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/momon-rules/momon/interpreter"
)

func (a *app) playCmd() *cobra.Command {
	g := &game{app: a, told: [3]int{}}
	var decks, names []string
	var random, replay bool
	var from string
	c := &cobra.Command{
		Use:   "play",
		Short: "Play a game at the terminal",
		Long: `Two people play at one terminal, or one against random choices. Choices are made
by number. The screen is cleared before the other player looks, so that neither
sees the other's hidden cards. Type ? for the other commands: undo, save, load,
why, concede. Ctrl-C and the end of the input save the game and name the file.`,
		Example: `  momon play
  momon play --random --lang th
  momon play --names Ann,Bee --seed 7
  momon play --load momon-save.json`,
		Args: a.takes(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if a.json {
				return errors.New(a.t("play-json"))
			}
			if !cmd.Flags().Changed("seed") {
				g.seed = freshSeed()
			}
			if random {
				g.random = 2
			}
			g.opponent = cmd.Flags().Changed("random")
			switch {
			case len(names) > 2:
				return errors.New(a.t("many-names", len(names)))
			case len(names) == 2 && strings.EqualFold(strings.TrimSpace(names[0]), strings.TrimSpace(names[1])):
				return errors.New(a.t("same-names", strings.TrimSpace(names[0])))
			}
			for i, n := range names {
				g.names[i] = strings.TrimSpace(n)
			}
			return g.play(decks, from, replay)
		},
	}
	f := c.Flags()
	f.BoolVar(&random, "random", false, "the second player chooses at random")
	f.Uint64Var(&g.seed, "seed", 0, "where chance begins; another one each time by default")
	f.StringArrayVar(&decks, "deck", nil, "the `NAME` of a deck; twice for both players")
	f.StringSliceVar(&names, "names", nil, "the players' `NAMES`, with a comma between")
	f.StringVar(&from, "load", "", "go on with the game saved in `FILE`, against whom it was played, and save to it")
	f.BoolVar(&replay, "replay", false, "with --load: take a game saved under other rules, by playing its decisions again")
	f.StringVar(&g.file, "save", "", "the `FILE` to save to; one that is there already is not written over")
	return c
}

func freshSeed() uint64 {
	var b [8]byte
	if _, err := rand.Read(b[:]); err != nil {
		return uint64(time.Now().UnixNano())
	}
	return binary.LittleEndian.Uint64(b[:])
}

// game is a game at the terminal.
type game struct {
	*app
	m      *interpreter.Match
	seed   uint64
	names  [2]string
	random int // the player who chooses at random, or 0

	opponent bool // the command line says whether the other player does

	file    string
	kept    bool   // the file holds what the player has saved or loaded on purpose
	told    [3]int // by player: how much of the log was shown
	last    int    // the player at the terminal
	dice    uint64
	unsaved bool // something happened since the game was saved
	lines   chan string
	stop    chan os.Signal
}

// longestLine is how many bytes of a line that is typed count.
const longestLine = 1 << 16

var errQuit = errors.New("quit")

func (g *game) play(deckNames []string, from string, replay bool) error {
	if from != "" {
		m, err := g.openSave(from, replay)
		if m == nil {
			return err
		}
		if err != nil && !errors.Is(err, errFound) {
			return err
		}
		g.take(m)
		// What was played again under other rules, or lost its record, does not
		// take the place of the file that it came from.
		if g.file == "" && !replay && m.FromStart() {
			g.file = from
		}
		if g.file != "" && g.file != from && exists(g.file) {
			return errors.New(g.t("file-taken", g.file))
		}
	} else {
		if g.file != "" && exists(g.file) {
			return errors.New(g.t("file-taken", g.file))
		}
		p, err := g.load(false)
		if err != nil {
			return err
		}
		decks, err := g.chosenDecks(p, deckNames)
		if err != nil {
			return err
		}
		if g.m, err = p.NewMatch(g.ctx, interpreter.MatchOptions{Seed: g.seed, Decks: decks, Players: g.names, Random: g.random}); err != nil {
			return g.withDecks(err, deckNames, decks)
		}
	}
	g.dice = g.seed
	g.unsaved = from == ""
	g.lines = make(chan string)
	g.stop = make(chan os.Signal, 1)
	signal.Notify(g.stop, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer signal.Stop(g.stop)
	go func() {
		in := bufio.NewReaderSize(g.in, longestLine)
		for {
			line, more, err := in.ReadLine()
			if err != nil {
				break
			}
			text := string(line)
			if more { // no command is so long; its rest is left out
				text = "…" + strings.ToValidUTF8(text[:40], "")
				for more && err == nil {
					_, more, err = in.ReadLine()
				}
			}
			g.lines <- text
		}
		close(g.lines)
	}()
	g.para(g.t("play-hello"), 0)
	for !g.m.Over() {
		d := g.m.Pending(g.lang)
		if d == nil {
			break
		}
		if d.Player == g.random {
			// The same decision is made again after an undo: chance is not rolled anew.
			dice := mrand.New(mrand.NewPCG(g.dice, uint64(d.Number)))
			if err := g.m.Choose(g.ctx, interpreter.Random(dice, d)...); err != nil {
				return errors.Join(err, g.leave())
			}
			g.unsaved = true
			continue
		}
		if err := g.turn(d); err != nil {
			if errors.Is(err, errQuit) || errors.Is(err, io.EOF) {
				return g.leave()
			}
			return errors.Join(err, g.leave())
		}
	}
	if g.random == 0 && g.last != 0 {
		g.clear()
	}
	g.tell(interpreter.Everyone)
	g.println("")
	g.board(g.m.View(g.lang, interpreter.Everyone))
	g.println("")
	g.result(g.m)
	if g.file == "" || !g.unsaved {
		return nil
	}
	if g.kept { // the end of the game is no reason to lose it
		g.println("")
		g.para(g.t("kept", g.file), 0)
		return nil
	}
	name, err := g.save("")
	if err != nil {
		return err
	}
	g.println("")
	g.para(g.t("saved", name), 0)
	return nil
}

// leave saves an unfinished game and names the file. Where that can't be done it
// is saved among the temporary files.
func (g *game) leave() error {
	g.println("")
	name, err := g.save("")
	if err != nil {
		g.complain("momon: " + g.fault(err))
		name, err = g.save(filepath.Join(os.TempDir(), freshName()))
	}
	if err != nil {
		return err
	}
	g.println(g.t("saved", name)) // not broken into lines, so that it can be copied
	g.println(g.t("go-on", "momon play --load "+shellQuoted(name)+g.flagsAgain()))
	return nil
}

// take goes on with a saved match: against whom it was played before, unless the
// command line says otherwise.
func (g *game) take(m *interpreter.Match) {
	if g.opponent {
		m.SetRandom(g.random)
	}
	g.m, g.random = m, m.Random()
}

// flagsAgain are the flags to call the program with again for the same rules, told
// in the same way.
func (a *app) flagsAgain() string {
	var b strings.Builder
	flag := func(name, value string) { b.WriteString(" --" + name + " " + shellQuoted(value)) }
	for _, x := range a.rules {
		flag("rules", x)
	}
	for _, x := range a.with {
		flag("with", x)
	}
	if a.edition != "" {
		flag("edition", a.edition)
	}
	if a.trust != "" {
		flag("trust", a.trust)
	}
	if a.store != "" {
		flag("store", a.store)
	}
	if a.allowUnsigned {
		b.WriteString(" --allow-unsigned")
	}
	if a.lang != "en" {
		flag("lang", a.lang)
	}
	if a.plain {
		b.WriteString(" --plain")
	}
	return b.String()
}

// read waits for a line.
func (g *game) read(prompt string) (string, error) {
	g.printf("%s", prompt)
	select {
	case s, ok := <-g.lines:
		if !ok {
			g.println("")
			return "", io.EOF
		}
		if f, isFile := g.in.(*os.File); !isFile || !term.IsTerminal(int(f.Fd())) {
			g.println(s)
		}
		return strings.TrimSpace(s), nil
	case <-g.stop:
		return "", errQuit
	}
}

// teller tells of the game as a player sees it.
func (g *game) teller(v interpreter.Viewer, all bool) *teller {
	return &teller{a: g.app, viewer: v, all: all,
		text: func(e *interpreter.Event) string { return g.m.Text(e, g.lang, v) },
		does: func(e *interpreter.Event) string { return g.m.Ability(e, g.lang) }}
}

// tell shows what a player has not been shown yet.
func (g *game) tell(v interpreter.Viewer) {
	i := int(v)
	if v == interpreter.Everyone {
		i = max(g.last, 1)
	}
	events := g.m.Events()
	if g.told[i] > len(events) {
		g.told[i] = len(events)
	}
	g.teller(v, false).tell(events[g.told[i]:])
	g.told[i] = len(events)
}

// turn shows a player the game and takes one decision, or another command.
func (g *game) turn(d *interpreter.Decision) error {
	v := interpreter.Viewer(d.Player)
	if g.last != d.Player && g.random == 0 {
		if g.last != 0 {
			g.clear()
		}
		switch line, err := g.read(g.t("pass-on", g.m.Player(d.Player))); {
		case err != nil:
			return err
		case line == "q" || line == "quit" || line == "exit":
			return errQuit
		}
	}
	g.last = d.Player
	g.tell(v)
	g.println("")
	g.board(g.m.View(g.lang, v))
	g.own(v, d)
	for {
		g.ask(d)
		line, err := g.read("> ")
		if err != nil {
			return err
		}
		done, err := g.command(line, d)
		if err != nil {
			return err
		}
		if done {
			return nil
		}
	}
}

// clear hides what the player before has seen.
func (g *game) clear() {
	if g.term && !g.plain {
		g.printf("\x1b[2J\x1b[3J\x1b[H")
		return
	}
	g.printf("%s", strings.Repeat("\n", 3))
}

// own shows the cards that only this viewer sees. Where a decision is about cards, they
// stand there, and a screen has no room for others.
func (g *game) own(v interpreter.Viewer, d *interpreter.Decision) {
	if d != nil && (len(d.About) > 0 || slices.ContainsFunc(d.Options, func(o interpreter.Option) bool { return len(o.Lines) > 0 })) {
		return
	}
	for _, p := range g.m.View(g.lang, v).Piles {
		if p.Owner != int(v) || p.Cards == nil {
			continue
		}
		for _, c := range p.Cards {
			if g.plain {
				g.println(p.Name + ": " + joinFull(c.Lines, "; "))
				continue
			}
			g.item(pad(p.Name, 9), joinFull(c.Lines, " · "), 3)
		}
	}
}

// ask words a decision with its options, and what is not possible now.
func (g *game) ask(d *interpreter.Decision) {
	g.println("")
	head := g.m.Player(d.Player) + ": " + d.Prompt
	if d.Source != "" {
		head = g.m.Player(d.Player) + ", " + d.Source + ": " + d.Prompt
	}
	for _, l := range wrap(head, g.cols) {
		g.println(g.bold(l))
	}
	if d.Text != "" {
		g.para(d.Text, 2)
	}
	for _, c := range d.About {
		g.para(joinFull(c.Lines, " · "), 2)
	}
	g.options(d.Options)
	for i, r := range g.m.Refusals(g.lang) {
		g.item(fmt.Sprintf("%3d  ", len(d.Options)+i+1), g.t("not-now", r.Text, len(d.Options)+i+1), 0)
	}
	switch {
	case d.Max > 1 && d.Min == d.Max:
		g.println("     " + g.t("pick-some", d.Min))
	case d.Max > 1:
		g.println("     " + g.t("pick-range", d.Min, d.Max))
	case d.Min == 0:
		g.println("     " + g.t("pick-none"))
	}
}

// options lists what can be chosen: cards with what is to be seen of them, others that
// are short beside each other.
func (g *game) options(list []interpreter.Option) {
	if g.plain {
		for i, o := range list {
			g.item(fmt.Sprintf("%3d  ", i+1), optionLine(&o, "; "), 0)
		}
		return
	}
	wide := 0
	for i := range list {
		wide = max(wide, width(optionLine(&list[i], " · "))+7)
		if len(list[i].Lines) > 0 {
			wide = g.cols
		}
	}
	per := max(1, g.cols/max(1, wide))
	line := ""
	for i := range list {
		text := optionLine(&list[i], " · ")
		if per == 1 {
			g.item(fmt.Sprintf("%3d  ", i+1), text, 0)
			continue
		}
		line += pad(fmt.Sprintf("%3d  ", i+1)+text, wide)
		if (i+1)%per == 0 || i == len(list)-1 {
			g.println(strings.TrimRight(line, " "))
			line = ""
		}
	}
}

// optionLine is an option in one line.
func optionLine(o *interpreter.Option, sep string) string {
	if len(o.Lines) < 2 {
		return o.Text
	}
	return joinFull(append([]string{o.Text}, o.Lines[1:]...), sep) // the first is its name
}

// command carries out a line. It reports whether the decision was made, or the
// game has changed so that it must be asked anew.
func (g *game) command(line string, d *interpreter.Decision) (bool, error) {
	words := strings.Fields(line)
	if len(words) == 0 {
		if d.Min == 0 {
			return g.choose(d, nil)
		}
		g.para(g.t("type-number"), 0)
		return false, nil
	}
	if _, err := strconv.Atoi(words[0]); err == nil {
		var picks []int
		for _, w := range strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == ',' }) {
			n, err := strconv.Atoi(w)
			if err != nil || n < 1 {
				g.para(g.t("type-number"), 0)
				return false, nil
			}
			if n > len(d.Options) {
				if r := g.m.Refusals(g.lang); n-len(d.Options) <= len(r) {
					g.refusal(&r[n-len(d.Options)-1])
					return false, nil
				}
			}
			picks = append(picks, n-1)
		}
		return g.choose(d, picks)
	}
	v := interpreter.Viewer(d.Player)
	rest := strings.TrimSpace(strings.TrimPrefix(line, words[0]))
	switch strings.ToLower(words[0]) {
	case "?", "help", "h":
		for _, l := range strings.Split(g.t("play-help"), "\n") {
			if words := remark(l); width(l) > g.cols && words != "" {
				g.item(strings.TrimSuffix(l, words), words, 0)
				continue
			}
			g.println(l)
		}
	case "board", "b":
		g.board(g.m.View(g.lang, v))
		g.own(v, nil)
	case "log", "l":
		g.teller(v, true).tell(g.m.Events())
	case "card", "c":
		g.sheet(rest, v)
	case "why", "w":
		g.whyCommand(rest, d, v)
	case "save", "s":
		if rest != "" && rest != g.file && exists(rest) {
			if yes, err := g.sure(g.t("write-over", rest)); !yes {
				return false, err
			}
		}
		name, err := g.save(rest)
		if err != nil {
			g.para(g.t("cant", g.fault(err)), 0)
			return false, nil
		}
		g.kept = true
		g.para(g.t("saved", name), 0)
	case "load":
		if rest == "" {
			rest = g.file
		}
		if rest == "" {
			g.para(g.t("load-what"), 0)
			return false, nil
		}
		m, err := g.openSave(rest, false)
		if err != nil {
			if !errors.Is(err, errFound) { // else it is said
				g.para(g.t("cant", g.fault(err)), 0)
			}
			return false, nil
		}
		if g.unsaved {
			if yes, err := g.sure(g.t("load-over")); !yes {
				return false, err
			}
		}
		g.take(m)
		g.told, g.last, g.unsaved, g.file, g.kept = [3]int{}, 0, false, "", true
		if m.FromStart() {
			g.file = rest
		}
		return true, nil
	case "undo", "u":
		who := d.Player
		err := g.m.Undo(g.ctx, interpreter.UndoOptions{Player: who, Seen: rest == "seen"})
		switch {
		case errors.Is(err, interpreter.ErrSeen):
			g.para(g.t("undo-seen"), 0)
			return false, nil
		case err != nil:
			g.para(g.t("cant", g.fault(err)), 0)
			return false, nil
		}
		g.unsaved = true
		for i := range g.told {
			g.told[i] = max(0, len(g.m.Events())-1)
		}
		return true, nil
	case "concede":
		return true, g.m.Concede(d.Player)
	case "draw":
		if g.random != 0 {
			g.para(g.t("no-draw"), 0)
			return false, nil
		}
		g.clear() // the other player looks now
		yes, err := g.sure(g.t("agree-draw", g.m.Player(3-d.Player)))
		if err != nil {
			return false, err
		}
		g.last = 3 - d.Player
		if yes {
			return true, g.m.Draw()
		}
		return true, nil
	case "quit", "q", "exit":
		return false, errQuit
	default:
		g.para(g.t("unknown-command", words[0]), 0)
	}
	return false, nil
}

func (g *game) choose(d *interpreter.Decision, picks []int) (bool, error) {
	if err := g.m.Choose(g.ctx, picks...); err != nil {
		g.para(g.t("cant", g.fault(err)), 0)
		return false, nil
	}
	g.unsaved = true
	return true, nil
}

// sure asks for yes or no; what is neither is a no.
func (g *game) sure(question string) (bool, error) {
	line, err := g.read(question)
	line = strings.ToLower(line)
	return line == "y" || line == "yes" || line == "ใช่", err
}

func exists(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}

// freshName is the name of a file that is not there yet.
func freshName() string {
	stem := "momon-" + time.Now().Format("20060102-150405")
	name := stem + ".json"
	for i := 2; exists(name); i++ {
		name = fmt.Sprintf("%s-%d.json", stem, i)
	}
	return name
}

// whyCommand explains what is not offered, a log entry, a value, or why something
// is not so.
func (g *game) whyCommand(rest string, d *interpreter.Decision, v interpreter.Viewer) {
	rest, size := cutSize(rest)
	if words, ok := strings.CutPrefix(rest+" ", "not "); ok {
		if strings.TrimSpace(words) == "" {
			g.para(g.t("why-not-how"), 0)
			return
		}
		w, err := g.m.WhyNot(strings.Fields(strings.ReplaceAll(words, `"`, " ")), interpreter.WhyNotOptions{Lang: g.lang, Viewer: v})
		if err != nil {
			g.para(g.t("cant", g.fault(err)), 0)
			return
		}
		if !g.sized(size, w.Sentence, w.Statements) {
			g.whyNotText(w)
		}
		return
	}
	if n, err := strconv.Atoi(rest); err == nil {
		refusals := g.m.Refusals(g.lang)
		switch {
		case n > len(d.Options) && n-len(d.Options) <= len(refusals):
			g.refusal(&refusals[n-len(d.Options)-1])
		case n >= 1 && n <= len(d.Options):
			g.para(g.t("is-possible"), 0)
		default:
			g.para(g.t("type-number"), 0)
		}
		return
	}
	if rest == "" { // the last thing that was refused
		events := g.m.Events()
		for i := len(events) - 1; i >= 0; i-- {
			if e := &events[i]; e.Kind == interpreter.Refused && !e.Hidden(v) {
				c := g.m.Cause(e, g.lang, v)
				if !g.sized(size, c.Sentence, c.Statements) {
					g.causeText(e.Number, c)
				}
				return
			}
		}
		g.para(g.t("none-refused"), 0)
		return
	}
	i := strings.LastIndexByte(rest, ' ')
	if i < 0 {
		g.para(g.t("why-how"), 0)
		return
	}
	name := strings.Trim(rest[:i], `"`)
	list := g.m.Objects(name, g.lang, v)
	if len(list) == 0 {
		g.para(g.t("no-such", name), 0)
		return
	}
	x, err := g.m.ExplainTo(v, list[0].Object, rest[i+1:], g.lang)
	if err != nil {
		g.para(g.t("cant", g.fault(err)), 0)
		return
	}
	if !g.sized(size, x.Sentence, x.Statements) {
		g.explanation(x)
	}
}

// cutSize takes the size of an answer off the end of a question; without one it is
// full.
func cutSize(question string) (rest, size string) {
	for _, s := range []string{sizeFull, sizeStatements, sizeSentence} {
		if rest, ok := strings.CutSuffix(" "+question, " "+s); ok {
			return strings.TrimSpace(rest), s
		}
	}
	return question, sizeFull
}

// parted lists the objects whose names have words in them, one of each name.
func (g *game) parted(words string, v interpreter.Viewer) []interpreter.ObjectInfo {
	var out []interpreter.ObjectInfo
	seen := map[string]bool{}
	for _, o := range g.m.Objects("", g.lang, v) {
		if strings.Contains(strings.ToLower(o.Name), strings.ToLower(words)) && !seen[o.Name] {
			seen[o.Name] = true
			out = append(out, o)
		}
	}
	return out
}

// isSquare reports whether a name is that of a square of the board.
func (g *game) isSquare(name string, v interpreter.Viewer) bool {
	for _, grid := range g.m.View(g.lang, v).Grids {
		for _, c := range grid.Cells {
			if strings.EqualFold(c.Name, name) {
				return true
			}
		}
	}
	return false
}

// sheet shows a whole card.
func (g *game) sheet(words string, v interpreter.Viewer) {
	words = strings.Trim(words, `"`)
	list := g.m.Objects(words, g.lang, v)
	if len(list) == 0 && words != "" { // a part of a name does, if it fits one only
		list = g.parted(words, v)
	}
	switch {
	case words == "" || len(list) == 0 && !g.isSquare(words, v):
		g.para(g.t("no-such", words), 0)
		return
	case len(list) == 0:
		g.para(g.t("square-empty", strings.ToUpper(words)), 0)
		return
	case len(list) > 1 && list[0].Name != list[1].Name:
		var names []string
		for _, o := range list {
			names = append(names, o.Name)
		}
		g.para(g.t("which-one", strings.Join(names, ", ")), 0)
		return
	}
	for _, l := range g.m.Sheet(list[0].Object, g.lang) {
		g.para(l, 2)
	}
	for _, c := range g.m.Program().Cards(g.lang) {
		if c.Shown == list[0].Name {
			for _, l := range strings.Split(c.Says, "\n") {
				g.para(l, 2)
			}
			break
		}
	}
}

// save writes the game to a file, whole or not at all, and returns its name.
func (g *game) save(name string) (string, error) {
	if name == "" {
		name = g.file
	}
	if name == "" {
		name = freshName()
	}
	data, err := g.m.Save()
	if err != nil {
		return "", err
	}
	if err := g.disk.Write(name, data); err != nil {
		return "", err
	}
	g.file, g.unsaved = name, false
	return name, nil
}
