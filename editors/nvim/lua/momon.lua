-- Sets Neovim up for .momon files, from version 0.7 on:
--
--   require('momon').setup({ cmd = { '/path/to/momon', 'lsp' } })
--
-- Options: cmd (the server), lang ('en' or 'th'), rules and with (folders), and
-- on_attach (called with the client and the buffer).
local M = {}

-- root is the folder that the server takes as open: the nearest one that is a
-- project or a module, else that of the file.
local function root(file)
  local dir = vim.fn.fnamemodify(file, ':p:h')
  local at = dir
  while true do
    for _, mark in ipairs({ '/module.momon', '/rules', '/.git' }) do
      if vim.fn.isdirectory(at .. mark) == 1 or vim.fn.filereadable(at .. mark) == 1 then
        return at
      end
    end
    local up = vim.fn.fnamemodify(at, ':h')
    if up == at then
      return dir
    end
    at = up
  end
end

local clients = {} -- by root, for versions before 0.8

function M.start(buf, opts)
  local dir = root(vim.api.nvim_buf_get_name(buf))
  local config = {
    name = 'momon',
    cmd = opts.cmd or { 'momon', 'lsp' },
    root_dir = dir,
    init_options = { lang = opts.lang, rules = opts.rules, with = opts.with },
    on_attach = opts.on_attach,
  }
  if next(config.init_options) == nil then
    config.init_options = nil -- an empty table would be sent as a list
  end
  if vim.lsp.start then
    return vim.lsp.start(config, { bufnr = buf })
  end
  local id = clients[dir]
  if not (id and vim.lsp.get_client_by_id(id)) then
    id = vim.lsp.start_client(config)
    clients[dir] = id
  end
  if id then
    vim.lsp.buf_attach_client(buf, id)
  end
  return id
end

function M.setup(opts)
  opts = opts or {}
  local group = vim.api.nvim_create_augroup('momon', { clear = true })
  vim.api.nvim_create_autocmd('FileType', {
    group = group,
    pattern = 'momon',
    callback = function(args)
      M.start(args.buf, opts)
    end,
  })
  -- The button beside a case: put the cursor on it and :MomonRun.
  vim.api.nvim_create_user_command('MomonRun', function()
    vim.lsp.codelens.run()
  end, {})
  vim.api.nvim_create_autocmd({ 'BufEnter', 'BufWritePost', 'InsertLeave' }, {
    group = group,
    pattern = '*.momon',
    callback = function()
      vim.lsp.codelens.refresh()
    end,
  })
end

return M
