autocmd BufNewFile,BufRead *.momon setfiletype momon
