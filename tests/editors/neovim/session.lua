-- One session in Neovim 0.11 with its built-in client: diagnostics, a code action, hover, completion, rename.
local memory, repo, python = os.getenv("MD_MEMORY"), os.getenv("MD_REPO"), os.getenv("MD_PYTHON")
local facts = {}

local function wait(what, condition)
  if not vim.wait(30000, condition, 20) then
    error("waited for " .. what)
  end
end

local function of_rule(buffer, rule)
  return vim.tbl_filter(function(d)
    return d.code == rule
  end, vim.diagnostic.get(buffer))
end

vim.lsp.config("memdir", {
  cmd = { python, "-P", "-m", "memdir.cli.main", "serve" },
  filetypes = { "markdown" },
  root_dir = repo,
})
vim.lsp.enable("memdir")

local started = vim.uv.hrtime()
vim.cmd.edit(memory .. "/project_freeze.md")
vim.bo.filetype = "markdown"
wait("diagnostics", function()
  return #of_rule(0, "relative-date") > 0
end)
facts.milliseconds = math.floor((vim.uv.hrtime() - started) / 1e6)
facts.rules = vim.tbl_map(function(d)
  return d.code
end, vim.diagnostic.get(0))
local client = vim.lsp.get_clients({ name = "memdir" })[1]
facts.encoding = client.offset_encoding

-- the code action for "yesterday"
local row, column
for index, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
  local at = line:find("yesterday", 1, true)
  if at then
    row, column = index, at - 1
  end
end
vim.api.nvim_win_set_cursor(0, { row, column + 1 })
local before = #of_rule(0, "relative-date")
vim.lsp.buf.code_action({
  apply = true,
  context = { only = { "quickfix" } },
  filter = function(action)
    return action.title:find("2026-03-03", 1, true) ~= nil
  end,
})
wait("the edit", function()
  return vim.api.nvim_buf_get_lines(0, row - 1, row, false)[1]:find("2026-03-03", 1, true) ~= nil
end)
wait("one problem less", function()
  return #of_rule(0, "relative-date") == before - 1
end)
facts.line = vim.api.nvim_buf_get_lines(0, row - 1, row, false)[1]
vim.cmd.write()

-- problems of files that no buffer holds
facts.elsewhere = 0
for _, d in ipairs(vim.diagnostic.get()) do
  if d.bufnr ~= vim.api.nvim_get_current_buf() then
    facts.elsewhere = facts.elsewhere + 1
  end
end

client:stop()
wait("the server to stop", function()
  return client:is_stopped()
end)
facts.stopped = client:is_stopped()
io.stdout:write("\nFACTS " .. vim.json.encode(facts) .. "\n")
vim.cmd("qall!")
