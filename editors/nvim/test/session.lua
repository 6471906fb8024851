-- Runs inside Neovim, on the file that test/run has written.
local buf = vim.api.nvim_get_current_buf()
local failed = false

local function say(text)
  io.stdout:write(text .. '\n')
end

local function check(what, ok, got)
  if not ok then
    failed = true
    say('FAILED ' .. what .. ': ' .. vim.inspect(got))
  else
    say(what .. ': ok')
  end
end

local function finish()
  say(failed and 'nvim: something is wrong' or 'nvim: all as wanted')
  vim.cmd(failed and 'cquit!' or 'qall!')
end

local function lines()
  return vim.api.nvim_buf_get_lines(buf, 0, -1, false)
end

-- params of a request at the first place of a text, off bytes behind its start.
local function at(text, off)
  for i, line in ipairs(lines()) do
    local col = line:find(text, 1, true)
    if col then
      vim.api.nvim_win_set_cursor(0, { i, col - 1 + (off or 0) })
      return vim.lsp.util.make_position_params(0, 'utf-16')
    end
  end
  error('there is no ' .. text)
end

local function ask(method, params)
  local out = vim.lsp.buf_request_sync(buf, method, params, 120000)
  for _, r in pairs(out or {}) do
    return r.result, r.error or r.err
  end
end

local ok, err = pcall(function()
  say('Neovim ' .. tostring(vim.version().major) .. '.' .. vim.version().minor .. '.' .. vim.version().patch)
  check('file type', vim.bo.filetype == 'momon', vim.bo.filetype)
  check('syntax', vim.fn.synIDattr(vim.fn.synID(1, 1, 1), 'name') == 'momonHead', vim.fn.synIDattr(vim.fn.synID(1, 1, 1), 'name'))
  require('momon').setup({ cmd = { vim.env.MOMON, 'lsp' } })
  vim.cmd('doautocmd FileType momon')

  local function wrong()
    return vim.diagnostic.get(buf)
  end
  vim.wait(120000, function()
    return #wrong() > 0
  end, 50)
  local d = wrong()[1] or {}
  check('diagnostics', d.code == 'unknown-value' or (d.user_data and d.user_data.lsp.code == 'unknown-value'), wrong())
  check('its place', d.lnum == 4 and d.col == lines()[5]:find('Watre', 1, true) - 1, d)

  -- Typed text goes to the server as changes of ranges.
  local row = lines()[5]
  local col = row:find('Watre', 1, true) - 1
  vim.api.nvim_buf_set_text(buf, 4, col, 4, col + 5, { 'Water' })
  vim.wait(120000, function()
    return #wrong() == 0
  end, 50)
  check('no diagnostics', #wrong() == 0, wrong())

  local hover = ask('textDocument/hover', at('ซ่อน 2'))
  check('hover', hover and hover.contents.value:find('keyword ซ่อน (จำนวน: number)', 1, true), hover)

  vim.api.nvim_buf_set_lines(buf, 5, 5, false, { '  ซ' })
  local list = ask('textDocument/completion', at('  ซ', 2 + #'ซ'))
  local found
  for _, item in ipairs(list and list.items or {}) do
    found = found or item.label == 'ซ่อน'
  end
  check('completion', found, list)
  vim.api.nvim_buf_set_lines(buf, 5, 6, false, {})

  local home = ask('textDocument/definition', at('ซ่อน 2'))
  check('definition', home and home[1] and home[1].range.start.line == 0 and home[1].range.start.character == 8, home)

  local p = at('ซ่อน 2')
  p.context = { includeDeclaration = true }
  local refs = ask('textDocument/references', p)
  check('references', refs and #refs == 2, refs)

  p = at('จำนวน')
  p.newName = 'กี่ช่อง'
  local edit = ask('textDocument/rename', p)
  if edit then
    vim.lsp.util.apply_workspace_edit(edit, 'utf-16')
  end
  check('rename', not table.concat(lines(), '\n'):find('จำนวน', 1, true) and lines()[1]:find('(กี่ช่อง: number)', 1, true), lines())

  p = at('power 1')
  p.newName = 'might'
  local _, refused = ask('textDocument/rename', p)
  check('rename of what is built in', refused and refused.message ~= '', refused)

  local edits = ask('textDocument/formatting', { textDocument = vim.lsp.util.make_text_document_params(), options = { tabSize = 2, insertSpaces = true } })
  vim.lsp.util.apply_text_edits(edits or {}, buf, 'utf-16')
  check('format', lines()[5] == '  element Water; power 1; worth 1; sight North; mark South' or not lines()[5]:find('Water;   power', 1, true), lines()[5])

  local lenses
  vim.wait(120000, function()
    lenses = ask('textDocument/codeLens', { textDocument = vim.lsp.util.make_text_document_params() })
    return lenses and #lenses > 1
  end, 200)
  local ran = ask('workspace/executeCommand', { command = 'momon.runCase', arguments = { vim.uri_from_bufnr(buf), 'hare' } })
  check('run a case', ran and ran.run == 1 and #ran.failed == 0, ran)

  local symbols = ask('textDocument/documentSymbol', { textDocument = vim.lsp.util.make_text_document_params() })
  check('outline', symbols and #symbols >= 3, symbols)
end)
if not ok then
  failed = true
  say('FAILED ' .. tostring(err))
end
finish()
