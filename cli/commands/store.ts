import { say } from "../base/output.ts";
import { type Arguments, UsageError, type CommandHelp, withArguments } from "../base/usage.ts";
import { migrateStore, printMigration } from "../platform/migrate-store.ts";

export const help: CommandHelp = {
  usage: "tenon store migrate [URL] [options]",
  summary:
    "Creates the tables of a job store in PostgreSQL, or brings them up to date. A service does so itself at its start, if its role may.",
  options: {
    platform: { type: "boolean", help: "also the tables of a platform with replicas" },
    print: { type: "boolean", help: "print the SQL for an empty schema instead; needs no server" },
  },
  examples: [
    "TENON_STORE=postgres://admin:secret@localhost/jobs tenon store migrate",
    "tenon store migrate postgres://localhost/jobs?schema=reports --print",
  ],
};

export function run(words: readonly string[]): Promise<number> {
  return withArguments(words, help, 2, carryOut);
}

async function carryOut(given: Arguments): Promise<number> {
  const [verb, url = process.env["TENON_STORE"] ?? ""] = given.positionals;
  if (verb !== "migrate") throw new UsageError(`Say what to do with the store. Usage: ${help.usage}`);
  if (!/^postgres(?:ql)?:/i.test(url.trim())) {
    throw new UsageError("Give the address of a PostgreSQL database, as an argument or in TENON_STORE");
  }
  const isPlatform = given.flag("platform");
  say(await (given.flag("print") ? printMigration(url, isPlatform) : migrateStore(url, isPlatform)));
  return 0;
}
