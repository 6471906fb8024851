// Package watch waits for changes of rule files in folders: told by the operating
// system where it can, by looking again and again where it can't. It says that
// something may have changed, sooner once too often than once too few; whoever
// reads the files sees what did.
package watch

import (
	"context"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"
)

const (
	// Interval is how often a folder is looked at that the system does not watch.
	Interval = 200 * time.Millisecond

	// Some file systems, such as those of a network, watch and tell nothing; and
	// what a link leads to is not watched. So folders are looked at now and then
	// even so.
	backstop = 2 * time.Second

	// Editors save in several steps: wait until nothing has happened for pause,
	// but no longer than patience.
	pause    = 25 * time.Millisecond
	patience = 300 * time.Millisecond
)

const ruleFile = ".momon"

// Watcher watches folders, with the folders in them.
type Watcher struct {
	dirs   []string
	sys    *fsnotify.Watcher // nil: it only looks
	on     map[string]bool   // folders that the system watches
	stamps map[string]stamp
}

// stamp is by what a changed file is known without reading it.
type stamp struct {
	size int64
	time time.Time
}

// New begins to watch. With poll it only looks again and again. The error tells
// why the system can't watch; the Watcher polls then.
func New(dirs []string, poll bool) (*Watcher, error) {
	w := &Watcher{dirs: dirs, on: map[string]bool{}}
	var err error
	if !poll {
		if w.sys, err = fsnotify.NewWatcher(); err != nil {
			w.sys = nil
		} else if err = w.follow(); err != nil {
			w.sys.Close()
			w.sys = nil
		}
	}
	w.stamps = w.look()
	return w, err
}

// Close ends watching.
func (w *Watcher) Close() {
	if w.sys != nil {
		w.sys.Close()
	}
}

// Next waits until a rule file or a folder has changed and what happens has come
// to rest. An error is the context's.
func (w *Watcher) Next(ctx context.Context) error {
	every := Interval
	var events chan fsnotify.Event
	var errs chan error
	if w.sys != nil {
		every, events, errs = backstop, w.sys.Events, w.sys.Errors
	}
	tick := time.NewTicker(every)
	defer tick.Stop()
	var rest, late <-chan time.Time // set once something has happened
	happened := func() {
		rest = time.After(pause)
		if late == nil {
			late = time.After(patience)
		}
	}
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case e := <-events:
			if matters(e) {
				happened()
			}
		case <-errs: // such as more events than the system keeps
			happened()
		case <-tick.C:
			if now := w.look(); !maps.Equal(now, w.stamps) {
				w.stamps = now
				happened()
			}
			w.follow() // a folder may be back that was gone
		case <-rest:
			return w.settle()
		case <-late:
			return w.settle()
		}
	}
}

// settle takes over what there is now. It comes before the files are read, so
// that what changes later is told.
func (w *Watcher) settle() error {
	w.follow()
	w.stamps = w.look()
	return nil
}

func matters(e fsnotify.Event) bool {
	return filepath.Ext(e.Name) == ruleFile || e.Has(fsnotify.Create) || e.Has(fsnotify.Remove) || e.Has(fsnotify.Rename)
}

// follow has the system watch every folder that is there. Folders can come in
// while it goes through them, so it ends when there was none that it did not know.
func (w *Watcher) follow() error {
	if w.sys == nil {
		return nil
	}
	watched := map[string]bool{}
	for _, name := range w.sys.WatchList() {
		watched[name] = true // one that is deleted falls out by itself
	}
	w.on = watched
	for more := true; more; {
		more = false
		err := w.walk(func(name string, d fs.DirEntry) error {
			if !d.IsDir() || w.on[name] {
				return nil
			}
			if err := w.sys.Add(name); err != nil {
				if _, gone := os.Stat(name); gone != nil {
					return nil
				}
				return err
			}
			w.on[name], more = true, true
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// look notes the rule files that are there.
func (w *Watcher) look() map[string]stamp {
	out := map[string]stamp{}
	w.walk(func(name string, d fs.DirEntry) error {
		if !d.IsDir() && filepath.Ext(name) == ruleFile {
			if st, err := os.Stat(name); err == nil {
				out[name] = stamp{st.Size(), st.ModTime()}
			}
		}
		return nil
	})
	return out
}

// walk goes through the folders, but for those that rules are not read from.
// What can't be read is passed over: it may be back at the next look.
func (w *Watcher) walk(f func(name string, d fs.DirEntry) error) error {
	for _, dir := range w.dirs {
		err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
			if err != nil {
				return nil
			}
			if base := d.Name(); d.IsDir() && name != dir && (strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_")) {
				return fs.SkipDir
			}
			return f(name, d)
		})
		if err != nil {
			return err
		}
	}
	return nil
}
