import { UsageError } from "./start-error.ts";

/** Which start call reads the flags: they differ a little. */
export type Flavour = "lambda" | "batch";

/** The command line of a service. A print flag is a tool's name, or true for the service or its only tool. */
export interface Flags {
  readonly printServiceDescription: string | boolean;
  readonly printToolDescription: string | boolean;
  readonly testFile: string | undefined;
  readonly testWithoutSidecar: boolean;
  /** Undefined: as the environment says. */
  readonly telemetry: boolean | undefined;
  readonly tool: string | undefined;
  readonly host: string | undefined;
  readonly port: string | undefined;
  readonly withMcp: boolean;
  readonly withMcpStdio: boolean;
  /** Undefined: as the entry says. */
  readonly concurrency: number | undefined;
  readonly help: boolean;
  readonly version: boolean;
}

type Value = "none" | "required" | "optional";

interface Flag {
  readonly value: Value;
  readonly only?: Flavour;
  /** How the value is called in the help text. */
  readonly of?: string;
  readonly help: string;
}

const flags = {
  host: { value: "required", only: "lambda", of: "ADDRESS", help: "address to listen on (env HOST, default 0.0.0.0)" },
  port: { value: "required", only: "lambda", of: "N", help: "port to listen on, 0 for any (env PORT, default 8090)" },
  "with-mcp": { value: "none", only: "lambda", help: "serve MCP over HTTP on /mcp as well" },
  "with-mcp-stdio": { value: "none", only: "lambda", help: "serve MCP over standard input and output instead of HTTP" },
  concurrency: {
    value: "required",
    only: "batch",
    of: "N",
    help: "jobs that run at the same time (default: as the entry says, else 1)",
  },
  "test-file": { value: "required", of: "PATH", help: "run one request from a file, print the result, and end" },
  tool: { value: "required", of: "NAME", help: "the tool that --test-file runs, when there are several" },
  "test-without-sidecar": { value: "none", help: "deliver no events and no results" },
  "with-telemetry": { value: "none", help: "instrument outbound requests also without an endpoint" },
  "without-telemetry": { value: "none", help: "do not instrument outbound requests" },
  "print-service-description": { value: "optional", of: "TOOL", help: "print the service definition, and end" },
  "print-tool-description": { value: "optional", of: "TOOL", help: "print the tool description, and end" },
  help: { value: "none", help: "print this text, and end" },
  version: { value: "none", help: "print the version of the service, and end" },
} as const satisfies Record<string, Flag>;

type FlagName = keyof typeof flags;

const exclusive: readonly (readonly [FlagName, FlagName])[] = [
  ["with-telemetry", "without-telemetry"],
  ["with-mcp", "with-mcp-stdio"],
  ["print-service-description", "print-tool-description"],
];

/** Reads the words after the program's name; throws `UsageError`. */
export function parseFlags(words: readonly string[], flavour: Flavour): Flags {
  const given = collect(words, flavour);
  for (const [one, other] of exclusive) {
    if (given.has(one) && given.has(other)) throw new UsageError(`--${one} and --${other} exclude each other.`);
  }
  const text = (name: FlagName): string | undefined => {
    const value = given.get(name);
    return typeof value === "string" ? value : undefined;
  };
  return {
    printServiceDescription: given.get("print-service-description") ?? false,
    printToolDescription: given.get("print-tool-description") ?? false,
    testFile: text("test-file"),
    testWithoutSidecar: given.has("test-without-sidecar"),
    telemetry: given.has("with-telemetry") ? true : given.has("without-telemetry") ? false : undefined,
    tool: text("tool"),
    host: text("host"),
    port: text("port"),
    withMcp: given.has("with-mcp"),
    withMcpStdio: given.has("with-mcp-stdio"),
    concurrency: readConcurrency(text("concurrency")),
    help: given.has("help"),
    version: given.has("version"),
  };
}

/** The text of `--help`. */
export function helpText(serviceName: string, flavour: Flavour): string {
  const rows = entries(flavour).map(([name, { value, of = "" }]) => {
    const operand = value === "none" ? "" : value === "required" ? ` ${of}` : ` [${of}]`;
    return [`  --${name}${operand}`, flags[name].help] as const;
  });
  const width = Math.max(...rows.map(([left]) => left.length)) + 2;
  const lines = rows.map(([left, right]) => `${left.padEnd(width)}${right}`);
  return `${serviceName}\n\nFlags:\n${lines.join("\n")}\n`;
}

function collect(words: readonly string[], flavour: Flavour): Map<FlagName, string | true> {
  const given = new Map<FlagName, string | true>();
  const known = new Map(entries(flavour));
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    if (!word.startsWith("--") || word === "--") throw new UsageError(`Unexpected argument ${JSON.stringify(word)}.`);
    const equals = word.indexOf("=");
    const name = (equals < 0 ? word.slice(2) : word.slice(2, equals)) as FlagName;
    const flag = known.get(name);
    if (flag === undefined) throw new UsageError(`Unknown flag --${name}.`);
    if (given.has(name)) throw new UsageError(`--${name} is given twice.`);
    if (equals >= 0 && flag.value === "none") throw new UsageError(`--${name} takes no value.`);
    let value = equals < 0 ? undefined : word.slice(equals + 1);
    const next = words[at + 1];
    if (value === undefined && flag.value !== "none" && next !== undefined && !next.startsWith("--")) {
      value = next;
      at++;
    }
    if (flag.value === "required" && (value === undefined || value === "")) {
      throw new UsageError(`--${name} needs a value: --${name} ${flag.of ?? "VALUE"}.`);
    }
    given.set(name, value === undefined || value === "" ? true : value);
  }
  return given;
}

function entries(flavour: Flavour): [FlagName, Flag][] {
  const all = Object.entries(flags) as [FlagName, Flag][];
  return all.filter(([, flag]) => flag.only === undefined || flag.only === flavour);
}

function readConcurrency(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (value < 1) throw new UsageError(`--concurrency is ${JSON.stringify(text)}; it must be a whole number from 1.`);
  return value;
}
