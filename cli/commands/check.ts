import { basename, relative } from "node:path";
import type { ServiceFile } from "../../plugin/index.ts";
import { type CompiledEntry, compileServiceFile } from "../build/compile-entry.ts";
import { reporting, type ReportManner, type Worked } from "../build/machine-report.ts";
import { runExamples, type ExampleRun } from "../call/run-examples.ts";
import { checkAgainst, type ContractCheck } from "../contracts/against/check-against.ts";
import { formatNames, inFormat, tellCheck, tellFixes } from "../contracts/against/tell-check.ts";
import { type ContractFix, writeUrns, writeVersion } from "../contracts/against/write-fixes.ts";
import { fails } from "../contracts/exceptions.ts";
import { otherFiles } from "../pack/other-files.ts";
import { diffDefinitions } from "../project/diff-definitions.ts";
import { paint, printJson, printText, say } from "../base/output.ts";
import { readPresent } from "../base/read-present.ts";
import { type Arguments, type CommandHelp, UsageError, withArguments } from "../base/usage.ts";

export const help: CommandHelp = {
  usage: "tenon check [entry] [options]",
  summary:
    "Makes the service definition in memory, compares it with the committed one and exits with 1 when that is stale. With --against, also exits with 1 when it breaks callers of another one.",
  options: {
    against: {
      type: "string",
      value: "REF",
      help: "compare with the contract at a git ref, in a file, of a running service or of npm:name@version",
    },
    format: {
      type: "string",
      value: "FORMAT",
      help: `print the findings as github or sarif, with --against the changes as ${formatNames.join(", ")}`,
    },
    fix: { type: "boolean", help: "write the URNs and the version that the changes need" },
    examples: {
      type: "boolean",
      help: "build the service, call each tool with its @example requests, and exit with 1 when one fails",
    },
    verbose: { type: "boolean", help: "tell each warning of a file in a place of its own" },
    watch: {
      type: "boolean",
      help: "check again after each change, until Ctrl-C; with --json a line each time",
    },
    json: { type: "boolean", help: "print the outcome as JSON; errors, too" },
  },
  examples: [
    "tenon check",
    "tenon check --watch",
    "tenon check --against origin/main",
    "tenon check --against https://tools.example.org --json",
  ],
};

export function run(words: readonly string[]): Promise<number> {
  return withArguments(words, help, 1, carryOut);
}

async function carryOut(given: Arguments): Promise<number> {
  const report = (manner: CheckManner): Promise<number> =>
    reporting(given, () => check(given, manner), { formats: formatNames, judgesTexts: true, ...manner });
  if (!given.flag("watch")) return report({});
  const once = ["fix", "format"].find((name) => given.flag(name) || given.text(name) !== undefined);
  if (once !== undefined) throw new UsageError(`--watch and --${once} exclude each other.`);
  const { watchCheck } = await import("../dev/watch-check.ts");
  const options = { entry: given.positionals[0], isJson: given.flag("json"), against: given.text("against") };
  return watchCheck(options, (made, print) => report({ made, print }));
}

type CheckManner = Pick<ReportManner, "made" | "print">;

async function check(given: Arguments, { made, print = printJson }: CheckManner): Promise<Worked> {
  const [against, format] = [given.text("against"), given.text("format")];
  if (against === undefined && (format === "markdown" || given.flag("fix"))) {
    throw new UsageError(`--${format === undefined ? "fix" : "format markdown"} needs --against REF.`);
  }
  const { contract, fixes, ...compiled } = await compileAndCompare(given, against, made);
  const { file, text, definition } = compiled;
  const committed = readPresent(file);
  const current = committed === text;
  const difference = current ? [] : diffDefinitions(committed ?? "", text);
  const examples = given.flag("examples") ? await runExamples(given.positionals[0], definition) : undefined;
  const others = await otherFiles(compiled);
  const isStale = others.some(({ difference: lines }) => lines.length > 0);
  if (given.flag("json")) {
    print({
      file,
      current,
      difference,
      ...(others.length > 0 && {
        others: others.map((one) => ({
          file: one.file,
          current: one.difference.length === 0,
          difference: one.difference,
        })),
      }),
      ...(examples && { examples }),
      ...(contract && jsonOf(contract)),
      ...(fixes && { fixes }),
    });
  } else {
    tellDifference(relative(process.cwd(), file), committed, difference, "tenon generate");
    for (const one of others) {
      tellDifference(relative(process.cwd(), one.file), one.committed, one.difference, one.remedy);
    }
    if (examples !== undefined) tellExamples(examples);
    if (fixes !== undefined) tellFixes(fixes);
    if (contract !== undefined) tellContract(contract, format);
  }
  const failed = isStale || (examples?.some(({ ok }) => !ok) ?? false) || (contract?.findings.some(fails) ?? false);
  const stale = [...(current ? [] : [file]), ...others.flatMap((one) => (one.difference.length > 0 ? one.file : []))];
  return {
    status: current && !failed ? 0 : 1,
    failures: [
      ...stale.map((one) => ({
        message: `${basename(one)} is stale. Run \`tenon generate\` and commit it.`,
        file: one,
      })),
      ...(examples ?? []).flatMap(({ tool, title, ok, answer }) =>
        ok ? [] : [{ message: `The example of ${tool} fails: ${title}\n${answer}` }],
      ),
    ],
    // The contract has already been printed in this format.
    ...(contract !== undefined && format !== undefined && { isPrinted: true }),
  };
}

interface Compared extends ServiceFile, CompiledEntry {
  readonly contract?: ContractCheck;
  readonly fixes?: readonly ContractFix[];
}

/** Compiles and compares; once more after `--fix` has changed the sources. */
async function compileAndCompare(
  given: Arguments,
  against: string | undefined,
  made: CompiledEntry | undefined,
): Promise<Compared> {
  const [entry, verbose] = [given.positionals[0], given.flag("verbose")];
  const service = await compileServiceFile(entry, { verbose, judgesTexts: true, ...(made && { made }) });
  if (against === undefined) return service;
  const check = (made: typeof service): Promise<ContractCheck> => checkAgainst(against, made, made, made.project.root);
  const contract = await check(service);
  if (!given.flag("fix")) return { ...service, contract };
  const { root } = service.project;
  const { before, after, needed } = contract.version;
  const fixes = [
    ...writeUrns(root, service.dependencies, contract.findings),
    ...(needed === undefined || before === "" ? [] : [writeVersion(root, after, needed)]),
  ];
  if (fixes.every(({ problem }) => problem !== undefined)) return { ...service, contract, fixes };
  const fixed = await compileServiceFile(entry, { verbose });
  return { ...fixed, contract: await check(fixed), fixes };
}

function jsonOf({ against, absent, findings, unused, version, tokens }: ContractCheck): object {
  return { against, ...(absent !== undefined && { absent }), findings, unused, version, ...(tokens && { tokens }) };
}

function tellDifference(
  shown: string,
  committed: string | undefined,
  difference: readonly string[],
  remedy: string,
): void {
  if (difference.length === 0) {
    say(`${shown} is up to date`);
    return;
  }
  say(committed === undefined ? `${shown} is missing.` : `${shown} is stale:`);
  for (const line of difference) {
    say(line.startsWith("+") ? paint("green", line) : line.startsWith("-") ? paint("red", line) : paint("dim", line));
  }
  say(`\nRun \`${remedy}\` and commit ${shown}.`);
}

function tellContract(contract: ContractCheck, format: string | undefined): void {
  if (format === undefined) tellCheck(contract);
  else {
    if (contract.absent !== undefined) say(contract.absent);
    printText(inFormat(format, contract));
  }
}

function tellExamples(examples: readonly ExampleRun[]): void {
  if (examples.length === 0) say("No tool has an `@example`.");
  for (const { tool, title, ok, answer } of examples) {
    say(`${ok ? paint("green", "ok    ") : paint("red", "failed")} ${tool}  ${title}`);
    if (!ok) say(answer.replaceAll(/^/gm, "       "));
  }
}
