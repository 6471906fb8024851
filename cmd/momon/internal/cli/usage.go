package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/momon-rules/momon/grammar/diag"
)

// misuse is a command line that is wrong, worded. Cobra words such errors in
// English alone, so that none of its own is used.
type misuse struct {
	text string
	of   *cobra.Command
}

// Error implements error.
func (m *misuse) Error() string { return m.text }

// takes lets a command have so many arguments.
func (a *app) takes(least, most int) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		switch n := len(args); {
		case n < least:
			return &misuse{a.t("args-few", c.CommandPath(), strings.Join(strings.Fields(c.Use)[1:], " ")), c}
		case n > most && most == 0:
			return &misuse{a.t("args-none", c.CommandPath(), args[0]), c}
		case n > most:
			return &misuse{a.t("args-many", c.CommandPath(), most, n), c}
		}
		return nil
	}
}

// usageOf makes every command word what is wrong with its command line itself.
func (a *app) usageOf(c *cobra.Command) {
	args := c.Args
	if c.HasParent() && c.Parent().Name() == "completion" {
		args = a.takes(0, 0) // Cobra's own
	}
	c.Args = func(c *cobra.Command, list []string) error {
		if err := a.swallowed(c); err != nil || args == nil {
			return err
		}
		return args(c, list)
	}
	c.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		if err := a.stray(c); err != nil {
			return err
		}
		return &misuse{a.flagFault(c, err), c}
	})
	for _, sub := range c.Commands() {
		a.usageOf(sub)
	}
}

// stray finds a word that a command which only has commands below it does not know.
func (a *app) stray(c *cobra.Command) error {
	args := c.Flags().Args()
	if c.Runnable() || len(args) == 0 {
		return nil
	}
	var known []string
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() || sub.Name() == "help" {
			known = append(known, sub.Name())
		}
	}
	if near := diag.Nearest(args[0], known); near != "" {
		return &misuse{a.t("no-command-near", c.CommandPath()+" "+args[0], c.CommandPath()+" "+near), c}
	}
	return &misuse{a.t("no-command", c.CommandPath()+" "+args[0]), c}
}

// swallowed finds a flag that was taken for the value of the one before it, as
// in --load --lang th.
func (a *app) swallowed(c *cobra.Command) error {
	var err error
	c.Flags().Visit(func(f *pflag.Flag) {
		if name, ok := strings.CutPrefix(f.Value.String(), "--"); ok && f.Value.Type() == "string" {
			if name, _, _ = strings.Cut(name, "="); c.Flags().Lookup(name) != nil && err == nil {
				err = &misuse{a.t("flag-swallows", f.Name, name), c}
			}
		}
	})
	return err
}

// flagFault words what is wrong with a flag.
func (a *app) flagFault(c *cobra.Command, err error) string {
	var unknown *pflag.NotExistError
	var lacks *pflag.ValueRequiredError
	var bad *pflag.InvalidValueError
	var form *pflag.InvalidSyntaxError
	switch {
	case errors.As(err, &unknown):
		if short := unknown.GetSpecifiedShortnames(); short != "" {
			return a.t("no-flag", "-"+unknown.GetSpecifiedName())
		}
		name := unknown.GetSpecifiedName()
		var known []string
		c.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, f.Name) })
		if near := diag.Nearest(name, known); near != "" {
			return a.t("no-flag-near", "--"+name, "--"+near)
		}
		return a.t("no-flag", "--"+name)
	case errors.As(err, &lacks):
		return a.t("flag-lacks", lacks.GetFlag().Name)
	case errors.As(err, &bad):
		f := bad.GetFlag()
		kind := "flag-kind-" + f.Value.Type()
		if _, ok := words[kind]; !ok {
			kind = "flag-kind-other"
		}
		return a.t("flag-value", f.Name, bad.GetValue(), a.t(kind))
	case errors.As(err, &form):
		return a.t("flag-form", form.GetSpecifiedFlag())
	}
	return err.Error()
}

// required reports a flag that a command can't do without.
func (a *app) required(c *cobra.Command, name string) error {
	if c.Flags().Changed(name) {
		return nil
	}
	return &misuse{a.t("flag-required", c.CommandPath(), name), c}
}

// helped shows help, unless help came only of a word that nothing is known by.
func (a *app) helped(root *cobra.Command, strayed *error) {
	root.SetHelpFunc(func(c *cobra.Command, _ []string) {
		if asked, err := c.Flags().GetBool("help"); err == nil && !asked {
			if *strayed = a.stray(c); *strayed != nil {
				return
			}
		}
		text := c.Long
		if text == "" {
			text = c.Short
		}
		for _, l := range a.refit(text) {
			a.println(l)
		}
		a.println("")
		a.usage(c)
	})
}

// misused words a wrong command line, with where its help is.
func (a *app) misused(m *misuse) string {
	return fmt.Sprintf("%s\n%s", m.text, a.t("see-help", m.of.CommandPath()))
}

// refit lays a help text, written for lineWidth, out for a narrower screen.
// Lines that stand indented or as commands stay as they are.
func (a *app) refit(text string) []string {
	text = strings.TrimRight(text, " \n")
	if a.cols >= lineWidth {
		return strings.Split(text, "\n")
	}
	var out []string
	for i, par := range strings.Split(text, "\n\n") {
		if i > 0 {
			out = append(out, "")
		}
		if strings.HasPrefix(par, " ") || strings.Contains(par, "\n ") {
			out = append(out, strings.Split(par, "\n")...)
			continue
		}
		out = append(out, wrap(par, a.cols)...)
	}
	return out
}

// usage prints how a command is called.
func (a *app) usage(c *cobra.Command) error {
	a.println(a.t("usage"))
	if c.Runnable() {
		a.item("  ", strings.Replace(c.UseLine(), "[flags]", a.t("usage-flags"), 1), 0)
	}
	if c.HasAvailableSubCommands() {
		a.item("  ", c.CommandPath()+" "+a.t("usage-command"), 0)
	}
	if c.HasExample() {
		a.println("\n" + a.t("usage-examples"))
		for _, l := range strings.Split(c.Example, "\n") {
			r := remark(l)
			if command := strings.TrimRight(strings.TrimSuffix(l, r), " "); r != "" && width(l) > a.cols {
				a.item("  # ", r, 0)
				l = command
			}
			a.println(l)
		}
	}
	if c.HasAvailableSubCommands() {
		a.println("\n" + a.t("usage-commands"))
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() || sub.Name() == "help" {
				a.item(pad("  "+sub.Name(), sub.NamePadding()+3), sub.Short, 0)
			}
		}
	}
	if c.HasAvailableLocalFlags() {
		a.println("\n" + a.t("usage-local"))
		a.flags(c.LocalFlags())
	}
	if c.HasAvailableInheritedFlags() {
		a.println("\n" + a.t("usage-global"))
		a.flags(c.InheritedFlags())
	}
	if c.HasAvailableSubCommands() {
		a.println("")
		a.para(a.t("usage-more", c.CommandPath()), 0)
	}
	return nil
}

// flags describes flags. pflag counts bytes and not cells, so it can't.
func (a *app) flags(set *pflag.FlagSet) {
	var names, texts []string
	most := 0
	set.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		name := "      --" + f.Name
		if f.Shorthand != "" {
			name = "  -" + f.Shorthand + ", --" + f.Name
		}
		value, text := pflag.UnquoteUsage(f)
		if _, ok := words["flag-type-"+value]; ok {
			value = a.t("flag-type-" + value)
		}
		if value != "" {
			name += " " + value
		}
		switch f.DefValue {
		case "", "0", "-1", "false", "[]": // -1 stands for none
		default:
			text += " " + a.t("flag-default", f.DefValue)
		}
		names, texts = append(names, name), append(texts, text)
		most = max(most, width(name))
	})
	for i, name := range names {
		if a.cols-most-3 < 24 { // beside each other they fit no more
			a.println(name)
			a.item(strings.Repeat(" ", 10), texts[i], 0)
			continue
		}
		a.item(pad(name, most+3), texts[i], 0)
	}
}
