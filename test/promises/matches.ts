/**
 * The first difference between a value and what was expected of it, as one line; undefined where there is none. A
 * pattern matches a text, an object may have more keys than expected, `undefined` stands for a key that must be
 * missing.
 */
export function difference(actual: unknown, expected: unknown, path = ""): string | undefined {
  const here = path === "" ? "it" : path;
  if (expected instanceof RegExp)
    return typeof actual === "string" && expected.test(actual)
      ? undefined
      : `${here} is ${show(actual)}, not ${expected}`;
  if (typeof expected !== "object" || expected === null)
    return Object.is(actual, expected) ? undefined : `${here} is ${show(actual)}, not ${show(expected)}`;
  if (typeof actual !== "object" || actual === null) return `${here} is ${show(actual)}, not ${show(expected)}`;
  if (Array.isArray(expected) && (!Array.isArray(actual) || actual.length !== expected.length))
    return `${here} is ${show(actual)}, not ${show(expected)}`;
  for (const [key, wanted] of Object.entries(expected)) {
    const found = difference((actual as Readonly<Record<string, unknown>>)[key], wanted, `${path}/${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

function show(value: unknown): string {
  const text = JSON.stringify(value, (_, part: unknown) => (part instanceof RegExp ? String(part) : part));
  return (text ?? "undefined").slice(0, 2000);
}
