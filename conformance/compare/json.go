package compare

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// The values of JSON: object, []any, string, json.Number, bool and nil. Members of
// an object keep their order, so that what is written looks as it was made.
type (
	field struct {
		key   string
		value any
	}
	object []field
)

// get is the value of a member, or nil.
func (o object) get(key string) any {
	for _, f := range o {
		if f.key == key {
			return f.value
		}
	}
	return nil
}

// has reports whether there is a member.
func (o object) has(key string) bool {
	for _, f := range o {
		if f.key == key {
			return true
		}
	}
	return false
}

// without is the object with a member left out.
func (o object) without(key string) object {
	var out object
	for _, f := range o {
		if f.key != key {
			out = append(out, f)
		}
	}
	return out
}

// with is the object with a member changed, or put at its end.
func (o object) with(key string, value any) object {
	out := append(object(nil), o...)
	for i := range out {
		if out[i].key == key {
			out[i].value = value
			return out
		}
	}
	return append(out, field{key, value})
}

// MarshalJSON writes the members in order.
func (o object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, f := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(encode(f.key))
		b.WriteByte(':')
		b.Write(encode(f.value))
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// encode writes a value that decode read or this package made.
func encode(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // no value of this package can't be written
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// decode reads a value, the members of objects in order.
func decode(data []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	return next(d)
}

func next(d *json.Decoder) (any, error) {
	t, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch t {
	case json.Delim('{'):
		o := object{}
		for d.More() {
			key, err := d.Token()
			if err != nil {
				return nil, err
			}
			v, err := next(d)
			if err != nil {
				return nil, err
			}
			name := fmt.Sprint(key)
			if o.has(name) {
				return nil, fmt.Errorf("%q stands twice in an object", name)
			}
			o = append(o, field{name, v})
		}
		_, err := d.Token()
		return o, err
	case json.Delim('['):
		list := []any{}
		for d.More() {
			v, err := next(d)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		_, err := d.Token()
		return list, err
	}
	return t, nil
}
