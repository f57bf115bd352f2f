import { escapeStep } from "../../../runtime/contract/validation/report/problem.ts";
import type { FullSchema } from "../../../runtime/contract/validation/report/schema.ts";
import { declares, fieldsOf, rulesFor, sharedUrn } from "./object-shape.ts";
import { patternTexts } from "./pattern-texts.ts";
import { type Step, type Suspicion, type Walk, within } from "./suspicion.ts";

const freshKeys = ["other", "key1", "a b", "x".repeat(9)];

/**
 * Suspicions about the objects of two schemas. Undeclared keys of the accepting schema do not count: in a request,
 * nothing reads them, and in a result, nothing writes them.
 */
export function compareObjects(walk: Walk, a: FullSchema, b: FullSchema): readonly Suspicion[] {
  const found: Suspicion[] = [];
  const urn = sharedUrn(a, b);
  let base: { readonly value: Record<string, unknown> | undefined } | undefined;
  const stepTo = (key: string, text = key): Step => ({
    text: text === "*" ? text : escapeStep(text),
    ...(urn !== undefined && { urn }),
    fill: (part) => withKey((base ??= { value: baseOf(walk, a, b) }).value, key, part),
  });
  for (const key of b.required ?? []) {
    if (a.required?.includes(key) === true || rulesFor(b, key) === false) continue;
    found.push(...within(stepTo(key), [missingKey(walk, a, b, key)]));
  }
  const fields = fieldsOf(a);
  for (const [key, part] of fields) found.push(...compareKey(walk, b, key, part, stepTo(key)));
  const named = new Set([...fields.map(([key]) => key), ...Object.keys(a.properties ?? {})]);
  for (const [key, part] of otherKeys(a, b, named)) found.push(...compareKey(walk, b, key, part, stepTo(key, "*")));
  return found;
}

/** Suspicions about one key that the accepting schema declares. */
function compareKey(walk: Walk, b: FullSchema, key: string, part: FullSchema, step: Step): readonly Suspicion[] {
  const rules = rulesFor(b, key);
  if (rules === false) {
    const isDeclared = Object.hasOwn(b.properties ?? {}, key);
    const rule = step.text === "*" && !isDeclared ? "otherKeys" : "key";
    const candidates = (): Iterable<unknown> => walk.values(part, undefined);
    return within(step, [{ rule, steps: [], accepted: "present", refused: "absent", candidates }]);
  }
  const found = rules.flatMap((rule) => walk.compare(part, rule));
  const own =
    key === "$schema" ? found.map((one) => (isUrnChange(one) ? { ...one, rule: "urn" as const } : one)) : found;
  return within(step, own);
}

function isUrnChange({ rule, steps }: Suspicion): boolean {
  return rule === "values" && steps.length === 0;
}

/**
 * Generates undeclared keys to try: some for each pattern, one for any name, and those that only the other side
 * declares.
 */
function* otherKeys(
  a: FullSchema,
  b: FullSchema,
  named: ReadonlySet<string>,
): Iterable<readonly [key: string, schema: FullSchema]> {
  if (a.patternProperties === undefined && !a.additionalProperties) return;
  const patterns = [a, b].flatMap(({ patternProperties = {} }) => Object.keys(patternProperties));
  const keys = [
    ...Object.keys(b.properties ?? {}),
    ...patterns.flatMap((pattern) => patternTexts(pattern).slice(0, 6)),
    ...freshKeys,
  ];
  for (const key of new Set(keys)) {
    if (named.has(key)) continue;
    const rules = rulesFor(a, key);
    // Keys that match several patterns are skipped, since their values would have to match several schemas.
    if (rules !== false && rules.length === 1 && rules[0] !== undefined) yield [key, rules[0]];
  }
}

function missingKey(walk: Walk, a: FullSchema, b: FullSchema, key: string): Suspicion {
  return {
    rule: "required",
    steps: [],
    accepted: "absent",
    refused: "required",
    isKnown: declares(a, key),
    // An undefined part makes the enclosing step leave the key out.
    candidates: () => [undefined],
  };
}

function withKey(base: Record<string, unknown> | undefined, key: string, part: unknown): unknown {
  if (base === undefined) return undefined;
  const others = Object.entries(base).filter(([name]) => name !== key);
  return Object.fromEntries(part === undefined ? others : [...others, [key, part]]);
}

/**
 * Builds an object that the accepting schema allows and that is as close as possible to the other schema: it has the
 * fields that either of the two schemas requires.
 */
function baseOf(walk: Walk, a: FullSchema, b: FullSchema): Record<string, unknown> | undefined {
  const entries: [string, unknown][] = [];
  for (const key of new Set([...(a.required ?? []), ...(b.required ?? [])])) {
    const [own, other] = [rulesFor(a, key), rulesFor(b, key)];
    const isNeeded = a.required?.includes(key) === true;
    const part = own === false ? undefined : own[0];
    if (part === undefined && !isNeeded) continue;
    const [value] = walk.values(part ?? {}, other === false ? undefined : other[0]);
    if (value !== undefined) entries.push([key, value]);
    else if (isNeeded) return undefined;
  }
  return Object.fromEntries(entries);
}
