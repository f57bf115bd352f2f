import { isJson, maxDepth } from "./is-json.ts";

/** Explains why JSON cannot hold a value, for example `NaN at /scores/3`; undefined when it can. */
export function findNotJson(value: unknown): string | undefined {
  return value === undefined || isJson(value) ? undefined : explain(value, "", 0, []);
}

function explain(value: unknown, path: string, depth: number, parents: readonly object[]): string {
  const at = path === "" ? "" : ` at ${path}`;
  if (typeof value === "number") return `${value}${at} is not a JSON number`;
  if (typeof value !== "object" || value === null) return `JSON cannot hold ${typeof value}${at}`;
  if (parents.includes(value)) return `a cycle${at}`;
  if (depth >= maxDepth) return `more than ${maxDepth} levels of nesting`;
  if ("toJSON" in value && typeof value.toJSON === "function") return `the value${at} gives no JSON of itself`;
  const entries: [string, unknown][] = Array.isArray(value)
    ? Array.from(value, (item, index) => [String(index), item])
    : Object.entries(value).filter(([, item]) => item !== undefined);
  for (const [key, item] of entries) {
    const below = isJson(item, depth + 1);
    if (below) continue;
    const step = key.replaceAll("~", "~0").replaceAll("/", "~1");
    return explain(item, `${path}/${step}`, depth + 1, [...parents, value]);
  }
  return `JSON cannot hold the value${at}`;
}
