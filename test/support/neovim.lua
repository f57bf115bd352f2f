-- Drives Neovim's own client in a window-less editor: findings, a fix, a hover, completion. Writes them as JSON.
-- Globals: main (the command line of tenon), node, out (file of the outcome).
local seen = {}
local patience = 60000
vim.bo.filetype = "typescript"
local client = vim.lsp.start_client({
  name = "tenon",
  cmd = { node, main, "lsp", "--stdio" },
  root_dir = vim.fn.getcwd(),
})
vim.lsp.buf_attach_client(0, client)

local function text()
  return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n")
end
local function codes()
  return vim.tbl_map(function(one)
    return one.code or one.user_data.lsp.code
  end, vim.diagnostic.get(0))
end
local function await(name, found)
  if not vim.wait(patience, found, 20) then
    error(name .. " did not come")
  end
end
local function go(pattern)
  vim.fn.cursor(1, 1)
  vim.fn.search(pattern)
end

local ok, problem = pcall(function()
  await("a finding", function()
    return #vim.diagnostic.get(0) > 0
  end)
  seen.codes = codes()
  seen.messages = vim.tbl_map(function(one)
    return one.message
  end, vim.diagnostic.get(0))

  local first = vim.diagnostic.get(0)[1]
  vim.api.nvim_win_set_cursor(0, { first.lnum + 1, first.col })
  vim.ui.select = function(items, _, choose)
    choose(items[1], 1)
  end
  local before = text()
  vim.lsp.buf.code_action()
  await("a fix", function()
    return text() ~= before
  end)
  seen.fixed = text()
  await("its end", function()
    return #vim.diagnostic.get(0) == 0
  end)

  go("function add")
  vim.fn.search("add")
  vim.lsp.buf.hover()
  await("a hover", function()
    for _, window in ipairs(vim.api.nvim_list_wins()) do
      if vim.api.nvim_win_get_config(window).relative ~= "" then
        local lines = vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false)
        seen.hover = table.concat(lines, "\n")
        return true
      end
    end
  end)

  vim.fn.append(vim.fn.search("@tool", "w"), " * @")
  vim.fn.cursor(vim.fn.search("^ \\* @$", "w"), 5)
  local parameters = vim.lsp.util.make_position_params()
  parameters.position.character = 4
  local answers = vim.lsp.buf_request_sync(0, "textDocument/completion", parameters, patience)
  local items = vim.lsp.util.text_document_completion_list_to_complete_items(answers[client].result, "")
  seen.completion = vim.tbl_map(function(one)
    return one.abbr
  end, items)
end)
if not ok then
  seen.problem = tostring(problem)
end
vim.lsp.stop_client(client)
await("the end of the server", function()
  return vim.lsp.client_is_stopped(client)
end)
vim.fn.writefile({ vim.json.encode(seen) }, out)
vim.cmd("qa!")
