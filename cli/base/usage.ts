import { parseArgs, type ParseArgsConfig } from "node:util";
import { nearestName } from "../../runtime/contract/nearest-name.ts";

/** A mistake on the command line: printed as one line with a hint to `--help`; exit code 2. */
export class UsageError extends Error {
  override readonly name: string = "UsageError";
}

/** A failed command, for a reason the user can fix: printed without a stack; exit code 1. */
export class CommandError extends Error {
  override readonly name: string = "CommandError";
}

export interface OptionHelp {
  readonly type: "string" | "boolean";
  readonly short?: string;
  /** Name of the value in the help text, for example `FILE`. */
  readonly value?: string;
  readonly multiple?: true;
  readonly help: string;
}

export interface CommandHelp {
  /** For example `tenon build [entry]`. */
  readonly usage: string;
  /** One or two sentences about the command. */
  readonly summary: string;
  readonly options: Readonly<Record<string, OptionHelp>>;
  readonly examples?: readonly string[];
}

export interface Arguments {
  readonly positionals: readonly string[];
  flag(name: string): boolean;
  text(name: string): string | undefined;
  /** All values of a repeated option. */
  texts(name: string): readonly string[];
}

/**
 * Runs a command with its arguments, or prints its help; resolves to the exit code. `most`: maximum number of
 * positional arguments. Rejects with `UsageError` for unknown arguments.
 */
export async function withArguments(
  words: readonly string[],
  help: CommandHelp,
  most: number,
  carryOut: (given: Arguments) => Promise<number>,
): Promise<number> {
  const given = readArguments(words, help, most);
  if (!given.flag("help")) return carryOut(given);
  process.stdout.write(formatHelp(help));
  return 0;
}

/** Parses the arguments of a command; throws `UsageError` for unknown ones. */
function readArguments(words: readonly string[], help: CommandHelp, most: number): Arguments {
  const options: NonNullable<ParseArgsConfig["options"]> = { help: { type: "boolean", short: "h" } };
  for (const [name, option] of Object.entries(help.options)) {
    options[name] = {
      type: option.type,
      ...(option.short !== undefined && { short: option.short }),
      ...(option.multiple && { multiple: true }),
    };
  }
  let parsed;
  try {
    parsed = parseArgs({ args: [...words], options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError(explained(error as Error, help));
  }
  if (parsed.positionals.length > most) {
    throw new UsageError(`One word too many: ${JSON.stringify(parsed.positionals[most])}. Usage: ${help.usage}`);
  }
  const values: Readonly<Record<string, unknown>> = parsed.values;
  return {
    positionals: parsed.positionals,
    flag: (name) => values[name] === true,
    text: (name) => (typeof values[name] === "string" ? values[name] : undefined),
    texts: (name) => (Array.isArray(values[name]) ? values[name].map(String) : []),
  };
}

/** The `--help` text of one command. */
export function formatHelp(help: CommandHelp): string {
  const rows = Object.entries({
    ...help.options,
    help: { type: "boolean", short: "h", help: "show this text" } as const,
  });
  const heads = rows.map(([name, option]: [string, OptionHelp]) => {
    const short = option.short === undefined ? "    " : `-${option.short}, `;
    return `  ${short}--${name}${option.value === undefined ? "" : ` ${option.value}`}`;
  });
  const width = Math.max(...heads.map((head) => head.length)) + 2;
  const lines = rows.map(([, option], index) => (heads[index] ?? "").padEnd(width) + option.help);
  const examples = help.examples === undefined ? [] : ["", "Examples:", ...help.examples.map((line) => `  ${line}`)];
  return [`Usage: ${help.usage}`, "", help.summary, "", "Options:", ...lines, ...examples, ""].join("\n");
}

/** Returns the first sentence of a usage error, and suggests the option that was probably meant. */
function explained({ message }: Error, { usage, options }: CommandHelp): string {
  const said = message.split(/\. |\n/)[0] ?? message;
  const [, unknown] = /^Unknown option '-+([^']*)'/.exec(said) ?? [];
  if (unknown === undefined) return said;
  const names = [...Object.keys(options), "help"];
  const meant = nearestName(unknown, names);
  const [command = ""] = /^tenon [a-z ]*[a-z]/.exec(usage) ?? [];
  return meant === undefined
    ? `${said}. ${command} has ${names.map((name) => `--${name}`).join(", ")}`
    : `${said}. Did you mean --${meant}?`;
}
