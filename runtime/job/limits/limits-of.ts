import type { DebounceDefinition, RateDefinition } from "../../contract/contract.ts";
import type { Tool } from "../../service/tools/tool.ts";
import { headStartOf, valueAt } from "./head-start.ts";
import type { JobDebounce, JobLimit, JobRate, JobTurn } from "./job-limit.ts";

/** Maximum characters of a value that is part of a key unchanged; a longer value is replaced by a digest. */
const longestValue = 200;
const defaultRetryAfter = 3;

/** The parts of a call from which keys of limits are made. */
interface Call {
  /** Parsed JSON, not validated. */
  readonly input: unknown;
  readonly caller?: { readonly subject?: string | undefined; readonly client?: string | undefined } | undefined;
}

/**
 * Returns the limit and the head start of a job, by its tool and its call. Both are absent for a request that does not
 * match its schema: such a job ends at once, and takes neither a turn nor the place of a valid request. A tool that
 * coerces values finds that out only when the job runs, so there the limit is absent only if the key has no value.
 * @param isNumber True if the value is a number, even if a caller sends it as text
 */
export function limitsOf(
  tool: Pick<Tool, "name" | "definition" | "options"> & Partial<Pick<Tool, "functions">>,
  call: Call,
  isNumber = false,
): JobTurn {
  const { priorities } = tool.definition;
  if (tool.options.coerce !== true && tool.functions?.isRequest?.(call.input) === false) return {};
  const limit = limitOf(tool, call, isNumber);
  return {
    ...(limit !== undefined && { limit }),
    ...(priorities !== undefined && { headStart: headStartOf(priorities, call.input) }),
  };
}

function limitOf(
  { name, definition, options }: Pick<Tool, "name" | "definition" | "options">,
  { input, caller }: Call,
  isNumber: boolean,
): JobLimit | undefined {
  const { limit, rate, debounce } = definition;
  const first = limit ?? rate ?? debounce;
  if (first === undefined) return undefined;
  // Only one key is read: the build refuses limits with different keys, since a job waits in one queue.
  const { per } = first;
  const beyond = (limit ?? rate)?.beyond ?? "wait";
  const value = per === undefined ? "" : valueOf(per, input, caller);
  if (value === undefined) return undefined;
  return {
    key: per === undefined ? name : limitKey(name, per, isNumber ? asNumber(value) : value),
    ...(limit !== undefined && { jobs: limit.jobs }),
    ...(rate !== undefined && { rate: rateOf(rate) }),
    ...(debounce !== undefined && { debounce: waitOf(debounce) }),
    ...(beyond !== "wait" && { beyond }),
    retryAfter: Math.ceil(options.refreshInterval ?? defaultRetryAfter),
  };
}

const times = { s: 1000, min: 60_000, h: 3_600_000, day: 86_400_000 } as const;

function rateOf({ starts, each, burst }: RateDefinition): JobRate {
  return { pace: times[each] / starts, burst, text: `${starts}/${each}` };
}

function waitOf({ seconds, most }: DebounceDefinition): JobDebounce {
  return { wait: seconds * 1000, ...(most !== undefined && { most: most * 1000 }) };
}

/**
 * Makes a key as text: JSON of the value, so that none of its characters has a special meaning; for a long value, a
 * digest, which cannot be JSON.
 */
export function limitKey(owner: string, per: string, value: string | null): string {
  // Lone surrogates and NUL are escaped, so that every store can store them.
  const text = JSON.stringify(value);
  return `${owner} ${per} ${text.length > longestValue ? digestOf(text) : text}`;
}

function digestOf(text: string): string {
  const { createHash } = process.getBuiltinModule("node:crypto");
  return `sha256:${createHash("sha256").update(text).digest("hex")}`;
}

/** The key that a person names: as lists of keys show it, or by its value alone. */
export function keyNamed(owner: string, per: string, text: string): string {
  return text.startsWith(`${owner} ${per} `) ? text : limitKey(owner, per, text);
}

/** Returns the value of the key. Callers without a token share one key. */
function valueOf(per: string, input: unknown, caller: Call["caller"]): string | null | undefined {
  if (per === "caller") return caller?.subject ?? (caller?.client === undefined ? null : `client ${caller.client}`);
  if (per === "caller.client") return caller?.client ?? null;
  const value = valueAt(per, input);
  if (value === null) return null;
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? String(value)
    : undefined;
}

function asNumber(value: string | null): string | null {
  const number = Number(value?.trim() === "" ? undefined : value);
  return value === null || Number.isNaN(number) ? value : String(number);
}
