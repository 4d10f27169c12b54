-- One session in Neovim 0.11 with its built-in client: hints, lenses and what they do, outline, finding, formatting, folds.
local memory, repo, python = os.getenv("MD_MEMORY"), os.getenv("MD_REPO"), os.getenv("MD_PYTHON")
local facts = {}

local function wait(what, condition)
  if not vim.wait(30000, condition, 20) then
    error("waited for " .. what)
  end
end

vim.lsp.config("memdir", {
  cmd = { python, "-P", "-m", "memdir.cli.main", "serve" },
  filetypes = { "markdown" },
  root_dir = repo,
})
vim.lsp.enable("memdir")

local function open(name)
  vim.cmd.edit(memory .. "/" .. name)
  vim.bo.filetype = "markdown"
  wait("the server at " .. name, function()
    return #vim.lsp.get_clients({ bufnr = 0, name = "memdir" }) == 1
  end)
end

-- inlay hints behind the entries of the index
open("MEMORY.md")
vim.lsp.inlay_hint.enable(true, { bufnr = 0 })
wait("hints", function()
  return #vim.lsp.inlay_hint.get({ bufnr = 0 }) > 5
end)
facts.hints = vim.tbl_map(function(found)
  local line = vim.api.nvim_buf_get_lines(0, found.inlay_hint.position.line, found.inlay_hint.position.line + 1, false)[1]
  return { line, found.inlay_hint.label }
end, vim.lsp.inlay_hint.get({ bufnr = 0 }))

-- formatting
vim.api.nvim_buf_set_lines(0, 0, 1, false, { "# Memory   ", "", "", "*  [Freeze](project_freeze.md) - until the cut" })
vim.lsp.buf.format({ async = false, timeout_ms = 30000 })
facts.formatted = vim.api.nvim_buf_get_lines(0, 0, 4, false)
vim.cmd("edit!")

-- folds
vim.wo.foldmethod = "expr"
vim.wo.foldexpr = "v:lua.vim.lsp.foldexpr()"
wait("folds", function()
  return vim.fn.foldlevel(4) > 0
end)
facts.fold = vim.fn.foldlevel(4)

-- lenses, and carrying one out
open("project_freeze.md")
vim.lsp.codelens.refresh({ bufnr = 0 })
wait("lenses", function()
  return #vim.lsp.codelens.get(0) > 0
end)
facts.lenses = vim.tbl_map(function(lens)
  return lens.command.title
end, vim.lsp.codelens.get(0))
vim.api.nvim_win_set_cursor(0, { 1, 0 })
vim.ui.select = function(items, options, chosen)
  for index, item in ipairs(items) do
    if options.format_item(item):find("last verified", 1, true) then
      return chosen(item, index)
    end
  end
end
vim.lsp.codelens.run()
wait("the new day", function()
  return vim.api.nvim_buf_get_lines(0, 4, 5, false)[1] ~= "modified: 2026-03-04"
end)
facts.modified = vim.api.nvim_buf_get_lines(0, 4, 5, false)[1]
facts.today = os.date("%Y-%m-%d")

-- outline and finding
local client = vim.lsp.get_clients({ name = "memdir" })[1]
local outline = client:request_sync("textDocument/documentSymbol", { textDocument = { uri = vim.uri_from_bufnr(0) } }, 30000, 0)
facts.outline = vim.tbl_map(function(symbol)
  return symbol.name
end, outline.result)
local found = client:request_sync("workspace/symbol", { query = "tide" }, 30000, 0)
facts.found = vim.tbl_map(function(symbol)
  return symbol.name
end, found.result)

io.stdout:write("\nFACTS " .. vim.json.encode(facts) .. "\n")
vim.cmd("qall!")
