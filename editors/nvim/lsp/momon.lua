-- For Neovim 0.11 and newer, which reads this file by itself:
--   vim.lsp.enable('momon')
return {
  cmd = { 'momon', 'lsp' },
  filetypes = { 'momon' },
  root_markers = { 'module.momon', 'rules', '.git' },
}
