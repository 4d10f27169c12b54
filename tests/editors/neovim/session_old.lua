-- The same in Neovim 0.7, as Debian ships it: no vim.lsp.config, code actions asked for by hand.
local memory, repo, python = os.getenv("MD_MEMORY"), os.getenv("MD_REPO"), os.getenv("MD_PYTHON")
local facts = {}

local function wait(what, condition)
  if not vim.wait(30000, condition, 20) then
    error("waited for " .. what)
  end
end

local function of_rule(rule)
  return vim.tbl_filter(function(d)
    return d.code == rule or (d.user_data and d.user_data.lsp and d.user_data.lsp.code == rule)
  end, vim.diagnostic.get(0))
end

vim.cmd("edit " .. memory .. "/project_freeze.md")
vim.bo.filetype = "markdown"
local id = vim.lsp.start_client({
  name = "memdir",
  cmd = { python, "-P", "-m", "memdir.cli.main", "serve" },
  root_dir = repo,
  workspace_folders = { { uri = vim.uri_from_fname(repo), name = "harbour" } },
})
vim.lsp.buf_attach_client(0, id)
wait("diagnostics", function()
  return #of_rule("relative-date") > 0
end)

local problem
for _, d in ipairs(of_rule("relative-date")) do
  local line = vim.api.nvim_buf_get_lines(0, d.lnum, d.lnum + 1, false)[1]
  if line:sub(d.col + 1, d.end_col) == "yesterday" then
    problem = d
  end
end
vim.api.nvim_win_set_cursor(0, { problem.lnum + 1, problem.col })
local params = vim.lsp.util.make_range_params()
params.context = { diagnostics = vim.lsp.diagnostic.get_line_diagnostics(), only = { "quickfix" } }
local answer = vim.lsp.buf_request_sync(0, "textDocument/codeAction", params, 10000)
local chosen
for _, action in ipairs(answer[id].result) do
  if action.title:find("2026-03-03", 1, true) then
    chosen = action
  end
end
if not chosen.edit then
  chosen = vim.lsp.buf_request_sync(0, "codeAction/resolve", chosen, 10000)[id].result
end
facts.title = chosen.title
facts.encoding = vim.lsp.get_client_by_id(id).offset_encoding
local before = #of_rule("relative-date")
vim.lsp.util.apply_workspace_edit(chosen.edit, facts.encoding)
facts.line = vim.api.nvim_buf_get_lines(0, problem.lnum, problem.lnum + 1, false)[1]
wait("one problem less", function()
  return #of_rule("relative-date") == before - 1
end)
vim.lsp.stop_client(id)
wait("the server to stop", function()
  local client = vim.lsp.get_client_by_id(id)
  return client == nil or client.is_stopped()
end)
io.stdout:write("\nFACTS " .. vim.json.encode(facts) .. "\n")
vim.cmd("qall!")
