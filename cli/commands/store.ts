import { readAddress } from "../../runtime/executor/store/postgres/address.ts";
import { migratePostgres } from "../../runtime/executor/store/postgres/postgres.ts";
import { migrationSql } from "../../runtime/executor/store/postgres/schema.ts";
import { StoreError } from "../../runtime/executor/store/store-error.ts";
import { say } from "../base/output.ts";
import { type Arguments, CommandError, UsageError, type CommandHelp, withArguments } from "../base/usage.ts";

const help: CommandHelp = {
  usage: "tenon store migrate [URL] [options]",
  summary:
    "Creates the tables of a job store in PostgreSQL, or brings them up to date. A service does so itself at its start, if its role may.",
  options: { print: { type: "boolean", help: "print the SQL for an empty schema instead; needs no server" } },
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
  try {
    const address = readAddress(url);
    if (given.flag("print")) {
      process.stdout.write(`BEGIN;\n${migrationSql(address.schema, 0)}\nCOMMIT;\n`);
      return 0;
    }
    await migratePostgres(url);
    say(`The schema ${address.schema} of ${address.shown} is up to date.`);
    return 0;
  } catch (error) {
    throw error instanceof StoreError ? new CommandError(error.message) : error;
  }
}
