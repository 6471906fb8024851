package lsp

import "encoding/json"

// The parts of the Language Server Protocol 3.17 that this server speaks. No
// library is taken for them: those for Go are no longer kept up.

type position struct {
	Line      int `json:"line"`
	Character int `json:"character"` // in UTF-16 units
}

type textRange struct {
	Start position `json:"start"`
	End   position `json:"end"`
}

type location struct {
	URI   string    `json:"uri"`
	Range textRange `json:"range"`
}

type documentID struct {
	URI     string `json:"uri"`
	Version *int   `json:"version,omitempty"`
}

type positionParams struct {
	TextDocument documentID `json:"textDocument"`
	Position     position   `json:"position"`
}

type documentParams struct {
	TextDocument documentID `json:"textDocument"`
}

type initializeParams struct {
	RootURI          string            `json:"rootUri"`
	RootPath         string            `json:"rootPath"`
	Locale           string            `json:"locale"`
	WorkspaceFolders []workspaceFolder `json:"workspaceFolders"`
	Options          settings          `json:"initializationOptions"`
	Capabilities     struct {
		Workspace struct {
			CodeLens struct {
				RefreshSupport bool `json:"refreshSupport"`
			} `json:"codeLens"`
			SemanticTokens struct {
				RefreshSupport bool `json:"refreshSupport"`
			} `json:"semanticTokens"`
			DidChangeWatchedFiles struct {
				DynamicRegistration bool `json:"dynamicRegistration"`
			} `json:"didChangeWatchedFiles"`
			WorkspaceEdit struct {
				DocumentChanges bool `json:"documentChanges"`
			} `json:"workspaceEdit"`
		} `json:"workspace"`
		TextDocument struct {
			Completion struct {
				Item struct {
					Snippets bool `json:"snippetSupport"`
				} `json:"completionItem"`
			} `json:"completion"`
			DocumentSymbol struct {
				Hierarchical bool `json:"hierarchicalDocumentSymbolSupport"`
			} `json:"documentSymbol"`
			CodeAction struct {
				Literal *json.RawMessage `json:"codeActionLiteralSupport"`
			} `json:"codeAction"`
		} `json:"textDocument"`
	} `json:"capabilities"`
}

// settings are what a client may set, at the start or later.
type settings struct {
	Lang  string   `json:"lang"`
	Rules []string `json:"rules"`
	With  []string `json:"with"`
}

type workspaceFolder struct {
	URI  string `json:"uri"`
	Name string `json:"name"`
}

type didOpenParams struct {
	TextDocument struct {
		URI     string `json:"uri"`
		Version int    `json:"version"`
		Text    string `json:"text"`
	} `json:"textDocument"`
}

type didChangeParams struct {
	TextDocument documentID `json:"textDocument"`
	Changes      []struct {
		Range *textRange `json:"range"`
		Text  string     `json:"text"`
	} `json:"contentChanges"`
}

type diagnostic struct {
	Range    textRange       `json:"range"`
	Severity int             `json:"severity"`
	Code     string          `json:"code"`
	CodeDesc *codeDesc       `json:"codeDescription,omitempty"`
	Source   string          `json:"source"`
	Message  string          `json:"message"`
	Tags     []int           `json:"tags,omitempty"`
	Related  []relatedInfo   `json:"relatedInformation,omitempty"`
	Data     json.RawMessage `json:"data,omitempty"`
}

type codeDesc struct {
	Href string `json:"href"`
}

type relatedInfo struct {
	Location location `json:"location"`
	Message  string   `json:"message"`
}

type publishParams struct {
	URI         string       `json:"uri"`
	Version     *int         `json:"version,omitempty"`
	Diagnostics []diagnostic `json:"diagnostics"`
}

type markup struct {
	Kind  string `json:"kind"`
	Value string `json:"value"`
}

func markdown(s string) *markup { return &markup{"markdown", s} }

type hoverResult struct {
	Contents *markup    `json:"contents"`
	Range    *textRange `json:"range,omitempty"`
}

type textEdit struct {
	Range   textRange `json:"range"`
	NewText string    `json:"newText"`
}

type documentEdit struct {
	TextDocument struct {
		URI     string `json:"uri"`
		Version *int   `json:"version"`
	} `json:"textDocument"`
	Edits []textEdit `json:"edits"`
}

type workspaceEdit struct {
	Changes         map[string][]textEdit `json:"changes,omitempty"`
	DocumentChanges []documentEdit        `json:"documentChanges,omitempty"`
}

type command struct {
	Title     string `json:"title"`
	Command   string `json:"command"`
	Arguments []any  `json:"arguments,omitempty"`
}

type completionItem struct {
	Label      string    `json:"label"`
	Kind       int       `json:"kind"`
	Detail     string    `json:"detail,omitempty"`
	Docs       *markup   `json:"documentation,omitempty"`
	SortText   string    `json:"sortText,omitempty"`
	FilterText string    `json:"filterText,omitempty"`
	Format     int       `json:"insertTextFormat,omitempty"`
	Edit       *textEdit `json:"textEdit,omitempty"`
}

type completionList struct {
	Incomplete bool             `json:"isIncomplete"`
	Items      []completionItem `json:"items"`
}

type documentSymbol struct {
	Name     string           `json:"name"`
	Detail   string           `json:"detail,omitempty"`
	Kind     int              `json:"kind"`
	Range    textRange        `json:"range"`
	Select   textRange        `json:"selectionRange"`
	Children []documentSymbol `json:"children,omitempty"`
}

type symbolInformation struct {
	Name      string   `json:"name"`
	Kind      int      `json:"kind"`
	Location  location `json:"location"`
	Container string   `json:"containerName,omitempty"`
}

type codeAction struct {
	Title       string         `json:"title"`
	Kind        string         `json:"kind"`
	Diagnostics []diagnostic   `json:"diagnostics,omitempty"`
	Preferred   bool           `json:"isPreferred,omitempty"`
	Edit        *workspaceEdit `json:"edit,omitempty"`
}

type codeLens struct {
	Range   textRange `json:"range"`
	Command *command  `json:"command"`
}

type foldingRange struct {
	StartLine int    `json:"startLine"`
	EndLine   int    `json:"endLine"`
	Kind      string `json:"kind,omitempty"`
}

type documentHighlight struct {
	Range textRange `json:"range"`
	Kind  int       `json:"kind"`
}

// Error codes of the protocol.
const (
	codeNotInitialized = -32002
	codeCancelled      = -32800
	codeRequestFailed  = -32803
	codeInvalidRequest = -32600
	codeInternal       = -32603
)
