package diff

import (
	"bytes"
	"encoding/json"
	"io"
)

// JSON writes the report for programs.
func (r *Report) JSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(struct {
		Momon string `json:"momon"` // says what the file is
		*Report
	}{"diff", r})
}

// Made reports whether a file is a report that this package has written, so that
// another may take its place.
func Made(data []byte) bool {
	head := data[:min(len(data), 1000)]
	for _, begin := range []string{"{\n  \"momon\": \"diff\"", "## What changes from ", "## สิ่งที่เปลี่ยนจาก"} {
		if bytes.HasPrefix(head, []byte(begin)) {
			return true
		}
	}
	return bytes.HasPrefix(head, []byte("<!DOCTYPE html>")) && bytes.Contains(head, []byte(`content="momon diff"`))
}
