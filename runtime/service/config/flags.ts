import { nearestName } from "../../contract/nearest-name.ts";
import { UsageError } from "../../base/start-error.ts";

/** The kind of start call; their flags differ a little. */
export type Flavour = "lambda" | "batch";

/** The command line of a service. A print flag is a tool's name, or true for the service or its only tool. */
export interface Flags {
  readonly printServiceDescription: string | boolean;
  readonly printToolDescription: string | boolean;
  readonly testFile: string | undefined;
  readonly testWithoutSidecar: boolean;
  /** Undefined: the environment decides. */
  readonly telemetry: boolean | undefined;
  readonly tool: string | undefined;
  readonly host: string | undefined;
  readonly port: string | undefined;
  readonly withMcp: boolean;
  readonly withMcpStdio: boolean;
  /** Undefined: the entry decides. */
  readonly concurrency: string | undefined;
  readonly help: boolean;
  readonly version: boolean;
}

type Value = "none" | "required" | "optional";

export interface Flag {
  readonly value: Value;
  readonly only?: Flavour;
  /** Name of the flag's value in texts. */
  readonly of?: string;
}

const flags = {
  host: { value: "required", only: "lambda", of: "ADDRESS" },
  port: { value: "required", only: "lambda", of: "N" },
  "with-mcp": { value: "none", only: "lambda" },
  "with-mcp-stdio": { value: "none", only: "lambda" },
  concurrency: { value: "required", only: "batch", of: "N" },
  "test-file": { value: "required", of: "PATH" },
  tool: { value: "required", of: "NAME" },
  "test-without-sidecar": { value: "none" },
  "with-telemetry": { value: "none" },
  "without-telemetry": { value: "none" },
  "print-service-description": { value: "optional", of: "TOOL" },
  "print-tool-description": { value: "optional", of: "TOOL" },
  help: { value: "none" },
  version: { value: "none" },
} as const satisfies Record<string, Flag>;

export type FlagName = keyof typeof flags;

const exclusive: readonly (readonly [FlagName, FlagName])[] = [
  ["with-telemetry", "without-telemetry"],
  ["with-mcp", "with-mcp-stdio"],
  ["print-service-description", "print-tool-description"],
];

/** True when a flag prints a text instead of starting a service. */
export function isPrinting({ version, printServiceDescription, printToolDescription }: Flags): boolean {
  return version || printServiceDescription !== false || printToolDescription !== false;
}

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
    concurrency: text("concurrency"),
    help: given.has("help"),
    version: given.has("version"),
  };
}

function collect(words: readonly string[], flavour: Flavour): Map<FlagName, string | true> {
  const given = new Map<FlagName, string | true>();
  const known = new Map(flagsOf(flavour));
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    if (!word.startsWith("--") || word === "--") throw new UsageError(`Unexpected argument ${JSON.stringify(word)}.`);
    const equals = word.indexOf("=");
    const name = (equals < 0 ? word.slice(2) : word.slice(2, equals)) as FlagName;
    const flag = known.get(name);
    if (flag === undefined) {
      const meant = nearestName(name, [...known.keys()]);
      throw new UsageError(`Unknown flag --${name}.${meant === undefined ? "" : ` Did you mean --${meant}?`}`);
    }
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

/** The flags that a start call knows. */
export function flagsOf(flavour: Flavour): [FlagName, Flag][] {
  const all = Object.entries(flags) as [FlagName, Flag][];
  return all.filter(([, flag]) => flag.only === undefined || flag.only === flavour);
}
