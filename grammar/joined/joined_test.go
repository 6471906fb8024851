package joined

import "testing"

func TestFormat(t *testing.T) {
	for _, x := range []struct {
		format string
		args   []any
		want   string
	}{
		{"%s มี %s %s", []any{"A", "โซน", "กองทิ้ง"}, "A มีโซนกองทิ้ง"},
		{"%s มี %s %s", []any{"A", "Power", "4"}, "A มี Power 4"},
		{"%s ของ %s", []any{"ธง 1", "B"}, "ธง 1 ของ B"},
		{"%[2]s ของ %[1]s", []any{"ตัวเอง", "ใจแก้ว"}, "ใจแก้วของตัวเอง"},
		{"เลือก%s", []any{"Momon"}, "เลือก Momon"},
		{"เลือก%s", []any{"การ์ด"}, "เลือกการ์ด"},
		{"%dครั้ง 100%%", []any{3}, "3 ครั้ง 100%"},
		{"%s_เพราะ %s", []any{"จบ", "หมด_"}, "จบ เพราะหมด_"},
		{"ผ่าน  %s", []any{"ก"}, "ผ่าน  ก"},
		{"“%s” (%s)", []any{"ก", "ข"}, "“ก” (ข)"},
		{"%s%s", []any{"ก", ""}, "ก"},
	} {
		if got := Format(x.format, x.args...); got != x.want {
			t.Errorf("%q with %q: %q, want %q", x.format, x.args, got, x.want)
		}
	}
}
