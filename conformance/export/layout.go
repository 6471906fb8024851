package export

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf8"
)

// width is how wide a line of an exported file may be.
const width = 120

// Layout lays JSON out for people: what fits stands on one line, members keep
// their order. It ends in a line feed.
func Layout(data []byte) ([]byte, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	n, err := read(d)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	n.write(&b, "", 0)
	b.WriteByte('\n')
	return b.Bytes(), nil
}

// node is a JSON value with the order of its members.
type node struct {
	open, shut byte // of an object or array, else 0
	keys       []string
	kids       []*node
	text       string // on one line, or cut off where it would not fit on one anyway
}

// grow adds to the text of a node, as long as that can fit on a line.
func (n *node) grow(s string) {
	if len(n.text) <= 4*width { // a character has at most four bytes
		n.text += s
	}
}

func read(d *json.Decoder) (*node, error) {
	t, err := d.Token()
	if err != nil {
		return nil, err
	}
	delim, ok := t.(json.Delim)
	if !ok {
		text, err := scalar(t)
		return &node{text: text}, err
	}
	n := &node{open: byte(delim), shut: byte(delim) + 2} // } follows { and ] follows [ by two
	n.text = string(n.open)
	for d.More() {
		if len(n.kids) > 0 {
			n.grow(", ")
		}
		if delim == '{' {
			k, err := d.Token()
			if err != nil {
				return nil, err
			}
			key, err := scalar(k)
			if err != nil {
				return nil, err
			}
			n.keys = append(n.keys, key)
			n.grow(key + ": ")
		}
		kid, err := read(d)
		if err != nil {
			return nil, err
		}
		n.kids = append(n.kids, kid)
		n.grow(kid.text)
	}
	n.grow(string(n.shut))
	_, err = d.Token()
	return n, err
}

func scalar(v any) (string, error) {
	if n, ok := v.(json.Number); ok {
		return n.String(), nil
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return "", fmt.Errorf("layout: %w", err)
	}
	return string(bytes.TrimSuffix(b.Bytes(), []byte("\n"))), nil
}

// write writes a node after something that takes up used columns of its line.
func (n *node) write(b *bytes.Buffer, indent string, used int) {
	if n.open == 0 || len(n.kids) == 0 || len(indent)+used+utf8.RuneCountInString(n.text) <= width {
		b.WriteString(n.text)
		return
	}
	b.WriteByte(n.open)
	for i, k := range n.kids {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString("\n" + indent + "  ")
		used := 1
		if n.keys != nil {
			b.WriteString(n.keys[i] + ": ")
			used += utf8.RuneCountInString(n.keys[i]) + 2
		}
		k.write(b, indent+"  ", used)
	}
	b.WriteString("\n" + indent)
	b.WriteByte(n.shut)
}
