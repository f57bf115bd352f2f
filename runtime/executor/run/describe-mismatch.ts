import type { JsonSchema } from "../../contract/contract.ts";
import { reportProblems } from "../../contract/validation/report/report.ts";

const mostShown = 10;

/**
 * Describes for the log where a result differs from its schema, for example `at /items/0/price expected number, got
 * string`. It names kinds and never values; `undefined` when nothing differs.
 */
export function describeMismatch(schema: JsonSchema | undefined, wire: unknown): string | undefined {
  if (schema === undefined) return undefined;
  const problems = reportProblems(schema, wire);
  if (problems.length === 0) return undefined;
  const texts = problems.slice(0, mostShown).map(({ path, expected }) => {
    const place = path === "" ? "" : `at ${path} `;
    return `${place}expected ${expected}, got ${kindOf(valueAt(wire, path))}`;
  });
  const more = problems.length - texts.length;
  return `${texts.join("; ")}${more > 0 ? `; and ${more} more` : ""}`;
}

function valueAt(wire: unknown, path: string): unknown {
  const steps = path.split("/").slice(1);
  return steps.reduce<unknown>((value, step) => {
    const key = step.replaceAll("~1", "/").replaceAll("~0", "~");
    const isThere = typeof value === "object" && value !== null && Object.hasOwn(value, key);
    return isThere ? (value as Record<string, unknown>)[key] : undefined;
  }, wire);
}

function kindOf(value: unknown): string {
  if (value === undefined) return "nothing";
  // An encoder returns a symbol that describes an invalid value.
  if (typeof value === "symbol") return value.description ?? "a symbol";
  if (typeof value === "number" && !Number.isFinite(value)) return String(value);
  if (Array.isArray(value)) return "array";
  return value === null ? "null" : typeof value;
}
