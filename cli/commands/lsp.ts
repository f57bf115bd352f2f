import { type Arguments, type CommandHelp, UsageError, withArguments } from "../base/usage.ts";

export const help: CommandHelp = {
  usage: "tenon lsp --stdio",
  summary:
    "A language server for editors and agents: findings while you type, fixes, hovers, completion of tags. Editors start it; docs/editors.md has the lines for each.",
  options: { stdio: { type: "boolean", help: "speak on standard input and output, the one way there is" } },
};

export function run(words: readonly string[]): Promise<number> {
  return withArguments(words, help, 0, carryOut);
}

async function carryOut(given: Arguments): Promise<number> {
  if (!given.flag("stdio")) throw new UsageError(`Editors start it with --stdio. Usage: ${help.usage}`);
  const { serveLanguage } = await import("../lsp/serve-language.ts");
  return serveLanguage();
}
