import { resolve } from "node:path";
import type { Diagnostic } from "../../plugin/index.ts";
import { withoutMarks } from "../base/colours.ts";
import { printJson, printText } from "../base/output.ts";
import { type Arguments, CommandError, type OptionHelp, UsageError } from "../base/usage.ts";
import { packageVersion } from "../base/version.ts";
import { repositoryPaths } from "../contracts/against/git.ts";
import { workflowCommand } from "../contracts/formats/github.ts";
import { sarifLog } from "../contracts/formats/sarif.ts";
import { compileEntry, type CompileManner } from "./compile-entry.ts";

/** The option of commands whose findings other programs may read. */
export const formatOption = {
  type: "string",
  value: "FORMAT",
  help: "print the findings as github or sarif, also when there are errors",
} satisfies OptionHelp;

/** A failure beside the findings, such as a stale definition. */
export interface Failure {
  readonly message: string;
  /** Absolute path; absent for a failure without a position. */
  readonly file?: string;
}

/** Result of a command: its exit code, and further failures. */
export interface Worked {
  readonly status: number;
  readonly failures?: readonly Failure[];
  /** True if the outcome has already been printed in the requested format. */
  readonly isPrinted?: boolean;
}

export interface ReportManner {
  /** Names for `--format`. */
  readonly formats?: readonly string[];
  /** True: as in a build, a model without a URN is a warning. */
  readonly derivesUrns?: boolean;
  /** True: checks the texts of tools by all rules. */
  readonly judgesTexts?: boolean;
  /** The compiled entry, if it has been compiled already. */
  readonly made?: CompileManner["made"];
  /** Prints the outcome of `--json`; default: on standard output. */
  readonly print?: (outcome: object) => void;
}

/**
 * Runs a command whose outcome other programs may read: with `--json` or `--format` a failure is printed in that
 * format, too. On success, `work` prints its JSON itself.
 */
export async function reporting(
  given: Arguments,
  work: () => Promise<Worked>,
  {
    formats = ["github", "sarif"],
    derivesUrns = false,
    judgesTexts = false,
    made,
    print = printJson,
  }: ReportManner = {},
): Promise<number> {
  const format = given.text("format");
  if (format !== undefined && !formats.includes(format)) {
    throw new UsageError(`--format ${format} is not one of ${formats.join(", ")}.`);
  }
  if (format !== undefined && given.flag("json")) throw new UsageError("--format and --json exclude each other.");
  if (format === undefined && !given.flag("json")) return (await work()).status;
  const { status, failures = [], isPrinted = format === undefined, error } = await attempt(work);
  if (isPrinted && error === undefined) return status;
  const found = await findings(given.positionals[0], { derivesUrns, judgesTexts, ...(made && { made }) });
  // The error's text for people contains the findings, so they are not printed again.
  const isExplained = found.diagnostics.some(({ level }) => level === "error");
  const all = error === undefined || isExplained ? failures : [...failures, { message: error }];
  if (format === undefined) print({ ...(!isExplained && { error }), diagnostics: found.diagnostics });
  else if (format === "markdown") printText(`${error ?? ""}\n`);
  else printText(format === "sarif" ? asSarif(found, all) : asGithub(found, all));
  return status;
}

async function attempt(work: () => Promise<Worked>): Promise<Worked & { readonly error?: string }> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CommandError) return { status: 1, error: withoutMarks(error.message) };
    throw error;
  }
}

interface Findings {
  /** The path of a file as code hosts show it; paths in findings are relative to the project. */
  readonly shownPath: (file: string) => string;
  readonly diagnostics: readonly Diagnostic[];
}

/** The findings of a build, from the cache if it has just been built. */
async function findings(entry: string | undefined, manner: CompileManner): Promise<Findings> {
  try {
    const { project, diagnostics } = await compileEntry(entry, manner);
    return { shownPath: pathsOf(project.root), diagnostics };
  } catch (error) {
    if (error instanceof CommandError) return { shownPath: pathsOf(process.cwd()), diagnostics: [] };
    throw error;
  }
}

function pathsOf(root: string): (file: string) => string {
  const shown = repositoryPaths(root);
  return (file) => shown(resolve(root, file));
}

function textOf({ message, fix }: Diagnostic): string {
  return fix === undefined ? message : `${message}\nfix: ${fix}`;
}

function asGithub({ shownPath, diagnostics }: Findings, failures: readonly Failure[]): string {
  return [
    ...diagnostics.map((one) =>
      workflowCommand(
        one.level === "hint" ? "notice" : one.level,
        {
          ...(one.file !== undefined && { file: shownPath(one.file) }),
          ...(one.line !== undefined && { line: one.line }),
          ...(one.column !== undefined && { col: one.column }),
          title: one.code,
        },
        textOf(one),
      ),
    ),
    ...failures.map(({ message, file }) =>
      workflowCommand("error", { ...(file !== undefined && { file: shownPath(file) }), title: "tenon" }, message),
    ),
  ].join("");
}

function asSarif({ shownPath, diagnostics }: Findings, failures: readonly Failure[]): string {
  const place = (file: string | undefined, one: Partial<Diagnostic> = {}): object =>
    file === undefined
      ? {}
      : {
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: shownPath(file).split("/").map(encodeURIComponent).join("/") },
                ...(one.line !== undefined && {
                  region: { startLine: one.line, ...(one.column !== undefined && { startColumn: one.column }) },
                }),
              },
            },
          ],
        };
  return sarifLog(packageVersion(), [
    ...diagnostics.map((one) => ({
      ruleId: one.code,
      level: one.level === "hint" ? ("note" as const) : one.level,
      message: { text: textOf(one) },
      ...place(one.file, one),
    })),
    ...failures.map(({ message, file }) => ({
      ruleId: "failed",
      level: "error" as const,
      message: { text: message },
      ...place(file),
    })),
  ]);
}
