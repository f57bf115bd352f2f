/** Maximum nesting of a result. Callers' parsers overflow far above it; our own parser refuses more as well. */
const maxDepth = 512;

/**
 * Explains why JSON cannot hold a value, for example `NaN at /scores/3`; undefined when it can. `JSON.stringify` drops
 * or rewrites most of these silently.
 */
export function findNotJson(value: unknown): string | undefined {
  // Most results are valid: the path is only built for an invalid one.
  return value === undefined || isJson(value, 0) ? undefined : explain(value, "", 0, []);
}

function isJson(value: unknown, depth: number): boolean {
  switch (typeof value) {
    case "string":
    case "boolean":
      return true;
    case "number":
      return Number.isFinite(value);
    case "object":
      if (value === null) return true;
      break;
    default:
      return false;
  }
  if (depth >= maxDepth) return false;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      if (!isJson(value[index], depth + 1)) return false;
    }
    return true;
  }
  const fields = value as Record<string, unknown>;
  if (typeof fields["toJSON"] === "function") return isJsonOfItself(value, fields["toJSON"]());
  for (const key in fields) {
    const item = fields[key];
    if (item !== undefined && Object.hasOwn(fields, key) && !isJson(item, depth + 1)) return false;
  }
  return true;
}

function isJsonOfItself(value: object, json: unknown): boolean {
  // An invalid date becomes null without an error.
  return !(value instanceof Date && json === null) && isJson(json, maxDepth - 16);
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
