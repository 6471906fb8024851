package interpreter_test

import (
	"context"
	"fmt"
	"log"
	"testing/fstest"

	"github.com/momon-rules/momon/interpreter"
)

// A game small enough for an example: each player takes tokens or leaves them.
var tiny = fstest.MapFS{"tiny.momon": {Data: []byte(`
language 1
text en "English"

zone Stack of player { pile; hidden from everyone }
zone Table en "Table" { renews objects }
characteristic worth of card: number printed en "Worth"
kind Stone is card where zone == Table en "Stone"

layer Plain en "Plain" { takes print, errata, table, lock }
layer Change after Plain en "Change" { takes raise, lower }
layer Rules after Change en "Rules" { takes prohibit, require, permit, instead, trigger }

characteristic other  of player: player        = find(game.players, # != self) en "other player"
characteristic stones of player: several Stone = each Stone where controller == self en "stones"
characteristic rest   of player: several card  = each card where zone == Stack and owner == self en "cards left"
characteristic score  of player: number        = sum(stones, .worth) en "Score"

action lay object: card en "lay {object}" {
  says en "{object} is laid"
  do: move object to Table
}
action turn of player: player en "turn of {player}" {
  do { choose c from turn.player.rest by turn.player for lay; lay c }
}
action game en "a game" {
  do {
    repeat 2 { for p in game.players: turn of p }
    finish with winners = filter(game.players, .score > .other.score)
  }
}
card "Pebble" en "Pebble" { worth 1 }
card "Gem" en "Gem" { worth 3 }
card "Setting" en "Setting" { worth 0; always on each Stone where controller == you and it != self: raise worth by 1 }
view player of player { line en "Score {score}" }
`)}}

func tinyMatch() *interpreter.Match {
	p, diags, err := interpreter.Load(context.Background(), []interpreter.Source{{Name: "tiny", FS: tiny}}, interpreter.Options{})
	if err != nil {
		for _, d := range diags {
			log.Print(d.Code, " ", d.Values, " ", d.Span.File.Line(d.Span.Start))
		}
		log.Fatal(err)
	}
	deck := []string{"Pebble", "Gem", "Setting"}
	m, err := p.NewMatch(context.Background(), interpreter.MatchOptions{Seed: 1, Decks: [2][]string{deck, deck}})
	if err != nil {
		log.Fatal(err)
	}
	return m
}

// Rules are loaded from any file system; a match then stops wherever somebody
// must decide.
func Example() {
	ctx := context.Background()
	m := tinyMatch()
	for !m.Over() {
		d := m.Pending("en")
		fmt.Printf("P%d: %s\n", d.Player, d.Prompt)
		for i, o := range d.Options {
			fmt.Printf("  %d %s\n", i, o.Text)
		}
		if err := m.Choose(ctx, len(d.Options)-1); err != nil {
			log.Fatal(err)
		}
	}
	for _, p := range m.View("en", interpreter.Everyone).Players {
		fmt.Println(p.Name, p.Lines[0])
	}
	fmt.Println("won:", len(m.Winners()))
	// Output:
	// P1: lay card
	//   0 Pebble
	//   1 Gem
	//   2 Setting
	// P2: lay card
	//   0 Pebble
	//   1 Gem
	//   2 Setting
	// P1: lay card
	//   0 Pebble
	//   1 Gem
	// P2: lay card
	//   0 Pebble
	//   1 Gem
	// P1 Score 4
	// P2 Score 4
	// won: 0
}

// Why a value is what it is comes as data.
func ExampleMatch_Explain() {
	m := tinyMatch()
	ctx := context.Background()
	for range 3 { // P1 lays Setting and Gem, P2 Setting
		if err := m.Choose(ctx, len(m.Pending("en").Options)-1); err != nil {
			log.Fatal(err)
		}
	}
	gem := m.Objects("Gem", "en", interpreter.Everyone)[0]
	x, err := m.Explain(gem.Object, "worth", "en")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(x.Characteristic, x.Value, "from", x.Base)
	for _, l := range x.Layers {
		for _, s := range l.Steps {
			fmt.Println(l.Layer, s.Kind, s.Before, "to", s.After, "by", s.Effect.Source)
		}
	}
	// Output:
	// Worth 4 from 3
	// Change applied 3 to 4 by Setting
}

// A saved match goes on where it was.
func ExampleMatch_Save() {
	ctx := context.Background()
	m := tinyMatch()
	if err := m.Choose(ctx, 0); err != nil {
		log.Fatal(err)
	}
	data, err := m.Save()
	if err != nil {
		log.Fatal(err)
	}
	again, err := m.Program().LoadMatch(ctx, data, interpreter.LoadOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(again.Hash() == m.Hash(), again.Decisions())
	// Output: true 1
}

// Undo takes decisions back by playing the others again.
func ExampleMatch_Undo() {
	ctx := context.Background()
	m := tinyMatch()
	before := m.Hash()
	if err := m.Choose(ctx, 0); err != nil {
		log.Fatal(err)
	}
	fmt.Println(m.Undo(ctx, interpreter.UndoOptions{}))
	fmt.Println(m.Undo(ctx, interpreter.UndoOptions{Seen: true}), m.Hash() == before)
	// Output:
	// what followed that decision showed a hidden card or rolled chance; taking it back needs an explicit option
	// <nil> true
}
