import { nearestName } from "../../runtime/contract/nearest-name.ts";
import { isObject } from "../../runtime/contract/validation/json-value.ts";
import { codes } from "../diagnostics/codes.ts";
import type { TokenBudget } from "../texts/over-budget.ts";

/** Level of a rule for tool authors. */
export type RuleLevel = "error" | "warn" | "off";

/** Options of the plugin; all are optional. */
export interface TenonOptions {
  /** Path of the tsconfig.json that the tools are read with; default: the nearest one above the first tool. */
  readonly tsconfig?: string;
  /** Path of the service definition; default `service.json` beside the nearest package.json. `false` disables it. */
  readonly service?: string | false;
  /** Level per rule, for example `{ "missing-schema": "warn" }`. */
  readonly rules?: { readonly [rule: string]: RuleLevel };
  /** First part of schema URNs that are derived when the author gave none; default: the package's name. */
  readonly namespace?: string;
  /** Keep compiled tools under `node_modules/.cache/tenon`; default true. */
  readonly cache?: boolean;
  /** Maximum tokens of each tool, and of all together, in a model's tool list; more is an error. Default: no limit. */
  readonly budget?: TokenBudget;
  /** Reports every missing URN and text separately, instead of one warning a file; default false. */
  readonly verbose?: boolean;
}

/** The options of a project, and the entry to which the service definition belongs. */
export interface ProjectOptions extends TenonOptions {
  /** Absolute path of the project's own entry; undefined if it is not known. */
  readonly main?: string;
  /** Set if the path of the service definition was passed to the plugin itself, not read from the project's options. */
  readonly isNamed?: true;
}

/** A mistake in the plugin's options. Users see only its message. */
export class OptionsError extends Error {
  override readonly name = "OptionsError";
  /** Without a stack: bundlers would print it, and it is useless for a mistake in the user's options. */
  override readonly stack: string = this.message;
}

/** Checks the form of an option: returns the expected form for an invalid value. */
export type Check = (value: unknown) => string | undefined;

const knownRules = Object.values(codes).flatMap(({ rule }) => rule ?? []);
const levels: ReadonlySet<unknown> = new Set(["error", "warn", "off"]);
/** Checks that an option is a text that is not empty. */
export const text: Check = (value) =>
  typeof value === "string" && value !== "" ? undefined : "a text that is not empty";
const flag: Check = (value) => (typeof value === "boolean" ? undefined : "true or false");

const isSize = (value: unknown): boolean => Number.isInteger(value) && (value as number) > 0;
const budget: Check = (value) =>
  isObject(value) &&
  Object.entries(value).every(
    ([name, size]) => (name === "tool" || name === "service") && (size === undefined || isSize(size)),
  )
    ? undefined
    : "an object with numbers of tokens, `tool` for each tool and `service` for all";

/** Checks for the options of the plugin. */
export const pluginChecks: { readonly [name in keyof TenonOptions]-?: Check } = {
  tsconfig: text,
  service: (value) => (value === false || text(value) === undefined ? undefined : "a path or false"),
  rules: (value) =>
    isObject(value) && Object.values(value).every((level) => levels.has(level))
      ? undefined
      : 'an object that gives rules the level "error", "warn" or "off"',
  namespace: text,
  cache: flag,
  budget,
  verbose: flag,
};

/**
 * Checks a user's options of the plugin. Options that are `undefined` count as missing.
 * @throws {OptionsError} for an unknown option, a value of the wrong kind or an unknown rule
 */
export function readOptions(given: unknown): TenonOptions {
  return given === undefined ? {} : checkOptions(given, pluginChecks, "tenon: ");
}

/**
 * Checks options against a table. Each message begins with `place`.
 * @throws {OptionsError} for an unknown option, a value of the wrong kind or an unknown rule
 */
export function checkOptions<T extends TenonOptions>(
  given: unknown,
  checks: Readonly<Record<keyof T & string, Check>>,
  place: string,
): T {
  if (!isObject(given)) throw new OptionsError(`${place}the options must be an object, not ${describe(given)}.`);
  const entries = Object.entries(given).filter(([, value]) => value !== undefined);
  for (const [name, value] of entries) {
    if (!isKey(name, checks))
      throw new OptionsError(`${place}there is no option \`${name}\`.${suggest(name, Object.keys(checks))}`);
    const expected = checks[name](value);
    if (expected !== undefined) {
      throw new OptionsError(`${place}the option \`${name}\` must be ${expected}, not ${describe(value)}.`);
    }
  }
  const options = Object.fromEntries(entries) as object as T;
  for (const rule of Object.keys(options.rules ?? {})) {
    if (!knownRules.includes(rule)) {
      throw new OptionsError(`${place}there is no rule \`${rule}\`.${suggest(rule, knownRules)}`);
    }
  }
  return options;
}

function isKey<T extends object>(name: string, table: T): name is keyof T & string {
  return Object.hasOwn(table, name);
}

function describe(value: unknown): string {
  if (typeof value === "function") return "a function";
  return JSON.stringify(value) ?? typeof value;
}

function suggest(name: string, known: readonly string[]): string {
  const meant = nearestName(name, known);
  return meant === undefined ? ` There are: ${known.join(", ")}.` : ` Did you mean \`${meant}\`?`;
}
