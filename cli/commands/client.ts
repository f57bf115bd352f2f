import { existsSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { emitNames } from "../client/emit-names.ts";
import { emitClient } from "../client/emit-client.ts";
import { loadReference } from "../contracts/against/load-reference.ts";
import { nearestPackage } from "../project/project.ts";
import { paint, printText, say } from "../base/output.ts";
import { type Arguments, CommandError, type CommandHelp, UsageError, withArguments } from "../base/usage.ts";
import { readPresent } from "../base/read-present.ts";
import { writeResult } from "../base/write-result.ts";

export const help: CommandHelp = {
  usage: "tenon client <service> [options]",
  summary:
    "Writes a typed client of a service into one file that needs nothing else. The service is an address, a service.json, npm:name@version, or a git ref with the committed service.json.",
  options: {
    output: { type: "string", short: "o", value: "FILE", help: "the file to write; default: standard output" },
    names: {
      type: "boolean",
      help: "only the names of parameters and the types of messages, for `createClient<typeof tools, ParameterNames>` in the same repository",
    },
    check: { type: "boolean", help: "write nothing; exit code 1 when the file is not what would be written" },
  },
  examples: [
    "tenon client https://primes.example.org -o src/primes.ts",
    "tenon client ../primes/service.json -o api.ts",
    "tenon client ../primes/service.json --names -o src/primes-names.d.ts",
  ],
};

export function run(words: readonly string[]): Promise<number> {
  return withArguments(words, help, 1, carryOut);
}

async function carryOut(given: Arguments): Promise<number> {
  const [ref] = given.positionals;
  if (ref === undefined) throw new UsageError(`Name the service. Usage: ${help.usage}`);
  const file = given.text("output");
  if (file === undefined && given.flag("check")) throw new UsageError("--check compares a file: name it with -o FILE.");
  const text = await clientOf(ref, given.flag("names"));
  if (file === undefined) {
    printText(text);
    return 0;
  }
  const shown = relative(process.cwd(), resolve(file));
  if (readPresent(file) === text) say(`${shown} is up to date`);
  else if (given.flag("check")) {
    say(
      `${paint("red", "outdated")} ${shown}: run \`tenon client ${ref}${given.flag("names") ? " --names" : ""} -o ${file}\` and commit it.`,
    );
    return 1;
  } else {
    if (!existsSync(dirname(resolve(file)))) throw new CommandError(`There is no folder ${dirname(file)}.`);
    writeResult(file, text);
    say(`${paint("green", "wrote")} ${shown}`);
  }
  return 0;
}

async function clientOf(ref: string, areNames: boolean): Promise<string> {
  const folder = nearestPackage(process.cwd()) ?? process.cwd();
  const reference = await loadReference(ref, join(folder, "service.json"));
  if ("absent" in reference) throw new CommandError(`There is no service definition at ${ref}.`);
  const { contract, name } = reference;
  if (contract.isBrief === true)
    throw new CommandError(
      `${name} does not publish its /service.json. Use the committed service.json of the service.`,
    );
  if (contract["controller-schema"] === "urn:platform:schema.service.batch.1")
    throw new CommandError(
      `${contract.name} is a batch service: it takes its jobs from a platform, and has no routes.`,
    );
  if (contract.tools.length === 0) throw new CommandError(`${contract.name} has no tools that you may call.`);
  try {
    return areNames ? emitNames(contract) : emitClient(contract);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new CommandError(`The schemas of ${name} are nested too deeply to write types of them.`);
  }
}
