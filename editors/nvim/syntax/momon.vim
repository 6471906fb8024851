" Colours for .momon files without a language server.
if exists('b:current_syntax')
  finish
endif

syntax match momonName "\<\u\k*\>"
syntax match momonThai "[ก-๛]\+"
syntax match momonNumber "\<\d\+\(\.\d\+\)*\>"
syntax region momonText start=+"+ skip=+\\\\\|\\"+ end=+"\|$+ contains=momonHole,momonEscape
syntax match momonHole "{[^}"]*}" contained
syntax match momonEscape +\\["\\nt]+ contained
" Inside of brackets # is the element of a list, outside it begins a comment.
syntax match momonComment "\(^\|[ \t{};]\)\@1<=#\([.)=!<>]\|\s*[=!<>]\)\@!.*$"
syntax match momonHead "^\(\(override\|extend\)\s\+\)\?\(edition\|provisional\|values\|kind\|zone\|layer\|order\|reading\|statement\|summary\|phrase\|view\|deck\|language\|text\|pack\|characteristic\|memory\|always\|table\|action\|step\|token\|keyword\|card\|header\|errata\|case\)\>"
syntax match momonWord "\.\@1<!\<\(always\|when\|while\|until\|finally\|where\|each\|among\|once\|limit\|per\|granted\|says\|only\|if\|else\|needs\|gathers\|role\|do\|record\|choose\|may\|either\|option\|for\|repeat\|together\|effect\|later\|proceed\|given\|during\|as\|expect\|refused\|happened\|never\|asked\|answer\|legal\|illegal\|repair\|confirms\|refutes\|under\|start\|end\|next\|instead\|and\|or\|not\|in\)\>"
syntax match momonOperation "\.\@1<!\<\(set\|base\|add\|remove\|strip\|lock\|raise\|lower\|copy\|prohibit\|permit\|require\|accept\|because\)\>"
syntax match momonJoin "\.\@1<!\<\(by\|to\|from\|at\|on\|of\|with\|within\|after\|is\|rule\|normative\|interpretation\|floor\|ceiling\|printed\|several\|takes\|renews\|hidden\|pile\|grid\)\>"
syntax match momonSelf "\.\@1<!\<\(self\|you\|it\|event\|hits\|game\|nothing\|true\|false\)\>"

highlight default link momonComment Comment
highlight default link momonText String
highlight default link momonHole Special
highlight default link momonEscape Special
highlight default link momonNumber Number
highlight default link momonHead Structure
highlight default link momonWord Keyword
highlight default link momonOperation Statement
highlight default link momonJoin Keyword
highlight default link momonSelf Constant
highlight default link momonName Type
highlight default link momonThai Identifier

let b:current_syntax = 'momon'
