import type { Problem } from "../../contract.ts";
import type { KeyRules, Rule } from "./rule.ts";
import { isSecretName, shortenValue } from "./shorten.ts";
import { candidatesOf, suggest } from "./suggest.ts";

/** Keys and indexes from the root to a value. */
export type Path = readonly (string | number)[];

/** Makes the problem of a value that its rule rejects. */
export function refused(path: Path, { expected, choices }: Rule, value: unknown): Problem {
  const secret = path.some((step) => typeof step === "string" && isSecretName(step));
  const shown = secret ? undefined : shortenValue(value);
  const got = secret ? "another value" : typeof value === "symbol" ? value.description : JSON.stringify(shown);
  const near = typeof value === "string" && !secret ? suggest(value, choices()) : undefined;
  const hint = near === undefined || near === value ? "" : ` Did you mean ${JSON.stringify(near)}?`;
  return {
    path: pointer(path),
    expected: expected(),
    ...(shown !== undefined && { value: shown }),
    message: `Expected ${expected()}, got ${got ?? "nothing"}.${hint}`,
  };
}

/**
 * Makes the problem of a missing required key. An unknown key that is present may be a misspelling of the missing one.
 */
export function missing(path: Path, key: string, rule: Rule, keys: KeyRules, value: Record<string, unknown>): Problem {
  const unknown = presentKeys(value).filter(
    (present) => !keys.byKey.has(present) && keys.patterns.every(({ pattern }) => !pattern.test(present)),
  );
  const near = suggest(key, candidatesOf(unknown));
  const hint = near === undefined ? "" : `; ${JSON.stringify(near)} may be a misspelling of it`;
  const expected = rule.expected();
  return {
    path: pointer([...path, key]),
    expected,
    message: `The key ${JSON.stringify(key)} (${expected}) is missing${hint}.`,
  };
}

/** Makes the problem of a key that is not allowed. */
export function unknownKey(path: Path, key: string, keys: KeyRules, value: Record<string, unknown>): Problem {
  const absent = keys.fields.filter((field) => !isPresent(value, field.key)).map((field) => field.key);
  const near = suggest(key, candidatesOf(absent));
  const hint = near === undefined ? "" : ` Did you mean ${JSON.stringify(near)}?`;
  const patterns = keys.patterns.map(({ source }) => `/${source}/`);
  const forms = patterns.length === 0 ? "" : ` and does not match ${patterns.join(" or ")}`;
  return {
    path: pointer([...path, key]),
    expected: "no such key",
    message: `The key ${JSON.stringify(key.slice(0, 100))} is not known${forms}.${hint}`,
  };
}

/** True when an object has an own key whose value is sent. */
export function isPresent(value: Record<string, unknown>, key: string): boolean {
  return Object.hasOwn(value, key) && value[key] !== undefined;
}

function presentKeys(value: Record<string, unknown>): readonly string[] {
  return Object.keys(value).filter((key) => value[key] !== undefined);
}

/** Maximum characters of a path, because a caller's key may have a megabyte. */
const longestPath = 1000;

/** Returns the JSON Pointer of a path, cut when it is very long. */
export function pointer(path: Path): string {
  let text = "";
  for (const step of path) {
    text += `/${typeof step === "number" ? step : escapeStep(step.slice(0, longestPath))}`;
    if (text.length > longestPath) return `${text.slice(0, longestPath)}…`;
  }
  return text;
}

/** A key as a step of a JSON Pointer. */
export function escapeStep(key: string): string {
  // Keys without special characters are returned unchanged: replacing costs more than the rest of a pointer.
  if (!key.includes("~") && !key.includes("/")) return key;
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}
