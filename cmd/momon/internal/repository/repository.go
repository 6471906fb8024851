// Package repository writes what a git repository of rules needs beside the rules: a
// workflow that looks at pull requests and hands releases out, and hooks that look at
// commits. What it writes is text for others to change; it knows no rules.
package repository

import (
	"bytes"
	"embed"
	"encoding/json"
	"io/fs"
	"path"
	"strings"
	"text/template"
)

//go:embed files
var templates embed.FS

// Pack is a pack that lies in the repository.
type Pack struct {
	Name string
	Dir  string // from the top of the repository, with /; "." for the top itself
}

// Options say what the files are for.
type Options struct {
	Packs   []Pack
	Version string // of the program, as the workflow and the hooks fetch it: a tag or a branch
	Lang    string // of remarks, names of steps, and what the program says in the workflow
}

// File is a file to write.
type File struct {
	Name string // from the top of the repository, with /
	Data string
	Mode fs.FileMode
}

// Files are the files of a repository, by name.
func Files(o *Options) ([]File, error) {
	t := template.New("").Delims("[[", "]]").Funcs(template.FuncMap{
		"say": func(key string) string { return say(o.Lang, key) },
		"remark": func(indent int, key string) string {
			return strings.ReplaceAll(say(o.Lang, key), "\n", "\n"+strings.Repeat(" ", indent)+"# ")
		},
		"args": func(p Pack) (string, error) {
			list := []string{p.Dir}
			if o.Lang != "en" {
				list = append(list, "--lang", o.Lang)
			}
			for i := range list {
				var err error
				if list[i], err = quoted(list[i]); err != nil {
					return "", err
				}
			}
			return "[" + strings.Join(list, ", ") + "]", nil
		},
		"quoted": quoted,
		"shell":  shell,
	})
	t, err := t.ParseFS(templates, "files/*")
	if err != nil {
		return nil, err
	}
	fill := func(name string, data any) (string, error) {
		var b bytes.Buffer
		err := t.ExecuteTemplate(&b, name, data)
		return b.String(), err
	}
	var out []File
	hook, err := fill("pre-commit", o)
	if err != nil {
		return nil, err
	}
	out = append(out, File{".githooks/pre-commit", hook, 0o777})
	for _, p := range o.Packs {
		tag := "v"
		if len(o.Packs) > 1 {
			tag = p.Name + "-v"
		}
		text, err := fill("workflow.yml", map[string]any{"Pack": p, "Tag": tag, "Version": o.Version, "Lang": o.Lang})
		if err != nil {
			return nil, err
		}
		out = append(out, File{path.Join(".github/workflows", p.Name+".yml"), text, 0o666})
	}
	config, err := fill("pre-commit-config.yaml", o)
	if err != nil {
		return nil, err
	}
	return append(out, File{".pre-commit-config.yaml", config, 0o666}), nil
}

// quoted is a text as YAML writes it between quotation marks, which is as JSON does.
func quoted(s string) (string, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(s)
	return strings.TrimSuffix(b.String(), "\n"), err
}

// shell is a text as a word of a shell.
func shell(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

func say(lang, key string) string {
	w := words[key]
	if lang == "th" {
		return w[1]
	}
	return w[0]
}

// words are what people read in the files, in English and Thai.
var words = map[string][2]string{
	"workflow": {
		"What GitHub does for this pack. A pull request is looked at, and what it changes is\n" +
			"told in its summary and in a comment; a tag that is the version, as in v1.0.0,\n" +
			"releases the pack. Written by momon pack repository; change it as you like.",
		"สิ่งที่ GitHub ทำให้ Pack นี้: ตรวจ Pull request และบอกสิ่งที่เปลี่ยนไว้ในสรุปและความเห็น\n" +
			"เมื่อติด Tag ตรงกับรุ่น เช่น v1.0.0 จะเผยแพร่ Pack ไฟล์นี้เขียนโดย momon pack repository\n" +
			"แก้ไขได้ตามต้องการ",
	},
	"job-changes":  {"What a pull request changes", "ตรวจ Pull request"},
	"job-release":  {"Release the pack", "เผยแพร่ Pack"},
	"install":      {"Get momon", "ติดตั้ง momon"},
	"packs":        {"Get the packs that it stands on", "นำเข้า Pack ที่ต้องใช้"},
	"packs-remark": {"They lie in .momon with their signatures, and trust.json says whose count.", "Pack เหล่านั้นอยู่ใน .momon พร้อมลายเซ็น และ trust.json ระบุผู้ที่เชื่อถือ"},
	"format":       {"Layout", "รูปแบบไฟล์"},
	"check":        {"Errors and warnings", "ข้อผิดพลาดและคำเตือน"},
	"tests":        {"Cases", "กรณีทดสอบ"},
	"diff":         {"What changes", "สิ่งที่เปลี่ยน"},
	"diff-remark":  {"What is looked at is the merge of the pull request into its base.", "สิ่งที่ตรวจคือผลของการรวม Pull request เข้ากับ Branch หลัก"},
	"first":        {"There is no earlier version to compare with.", "ไม่มีรุ่นก่อนหน้าให้เปรียบเทียบ"},
	"no-diff":      {"It could not be compared:", "เปรียบเทียบไม่ได้:"},
	"comment":      {"Tell it in a comment", "เขียนเป็นความเห็น"},
	"comment-remark": {
		"One comment, written anew each time. From a fork nothing can be written; the summary\nof the run has it all the same.",
		"มีความเห็นเดียวที่เขียนใหม่ทุกครั้ง ถ้ามาจาก Fork จะเขียนไม่ได้ แต่ดูได้ในสรุปของการรัน",
	},
	"cut":            {"It is longer; the summary of the run has all of it.", "ยังมีต่อ ดูทั้งหมดได้ในสรุปของการรัน"},
	"tag":            {"The tag is the version", "Tag ตรงกับรุ่น"},
	"other-version":  {"the tag and the version in the rules differ:", "Tag กับรุ่นในกติกาไม่ตรงกัน:"},
	"release-remark": {"The secrets of the repository: MOMON_KEY is what stands in the file of the secret key.", "ความลับของ Repository: MOMON_KEY คือเนื้อหาของไฟล์กุญแจลับ"},
	"no-key": {
		"the secret MOMON_KEY is missing: gh secret set MOMON_KEY < FILE.key",
		"ไม่มีความลับ MOMON_KEY: ใช้ gh secret set MOMON_KEY < FILE.key",
	},
	"publish": {"Put it on the page of releases", "ขึ้นหน้า Releases"},
	"hook": {
		"Before a commit: the rules must be laid out, without errors, and their cases must\n" +
			"pass. What is looked at is what would be committed, and not what lies in the folder.\n" +
			"Put in place by:  git config core.hooksPath .githooks\n" +
			"Written by momon pack repository; change it as you like.",
		"ก่อน Commit: กติกาต้องจัดรูปแบบแล้ว ไม่มีข้อผิดพลาด และกรณีทดสอบต้องผ่าน สิ่งที่ตรวจคือ\n" +
			"สิ่งที่จะถูก Commit ไม่ใช่สิ่งที่อยู่ในโฟลเดอร์ เริ่มใช้ด้วย:  git config core.hooksPath .githooks\n" +
			"ไฟล์นี้เขียนโดย momon pack repository แก้ไขได้ตามต้องการ",
	},
	"hook-pack": {"look DIR: a pack, if the commit has to do with it.", "look DIR: ตรวจ Pack ถ้า Commit เกี่ยวข้องกับ Pack นั้น"},
	"refused":   {"Nothing was committed. git commit --no-verify commits it all the same.", "ไม่ได้ Commit ใช้ git commit --no-verify ถ้าต้องการ Commit อยู่ดี"},
	"config": {
		"For pre-commit (https://pre-commit.com): momon fmt lays out, check and test look. Put\n" +
			"in place by:  pre-commit install\n" +
			"Written by momon pack repository; change it as you like.",
		"สำหรับ pre-commit (https://pre-commit.com): momon fmt จัดรูปแบบ check และ test ตรวจ\n" +
			"เริ่มใช้ด้วย:  pre-commit install ไฟล์นี้เขียนโดย momon pack repository แก้ไขได้ตามต้องการ",
	},
}
