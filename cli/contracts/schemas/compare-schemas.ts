import { expectedText } from "../../../runtime/contract/validation/report/expected.ts";
import type { FullSchema } from "../../../runtime/contract/validation/report/schema.ts";
import { compareArrays } from "./arrays.ts";
import { type Atom, kindOf } from "./atoms.ts";
import { compareNumbers } from "./numbers.ts";
import { fieldsOf, fixedFields, sharedUrn } from "./object-shape.ts";
import { compareObjects } from "./objects.ts";
import type { Side } from "./side.ts";
import type { SchemaRule } from "./schema-rules.ts";
import type { Suspicion, Walk } from "./suspicion.ts";
import { openValues } from "./values.ts";
import { formats } from "../../../runtime/contract/validation/formats/formats.ts";
import { stringCandidates } from "./string-candidates.ts";

/**
 * Maximum number of suspicions about one pair of schema parts. Nobody would read more, and shared parts multiply them.
 */
const most = 40;

/** Opens the comparison of two schemas, which searches for values that `a` accepts and `b` refuses. */
export function openWalk(a: Side, b: Side): Walk {
  const valuesOfA = openValues(a);
  const valuesOfB = openValues(b);
  const known = new Map<FullSchema, Map<FullSchema, readonly Suspicion[]>>();
  const shared = new Map<FullSchema, Map<FullSchema, readonly unknown[]>>();
  const walk: Walk = {
    a,
    b,
    values(part, other) {
      const own = valuesOfA(part);
      if (other === undefined) return own;
      const before = shared.get(part)?.get(other);
      if (before !== undefined) return before;
      const others = valuesOfB(other).filter((value) => a.accepts(part, value, true));
      const [common, only] = partition([...own, ...others], (value) => b.accepts(other, value));
      const row = shared.get(part) ?? new Map<FullSchema, readonly unknown[]>();
      shared.set(part, row.set(other, [...common, ...only]));
      return [...common, ...only];
    },
    compare(from, to) {
      const before = known.get(from)?.get(to);
      if (before !== undefined) return before;
      const row = known.get(from) ?? new Map<FullSchema, readonly Suspicion[]>();
      known.set(from, row);
      // A pair that is already being compared counts as equal: its other parts decide.
      row.set(to, []);
      const found = compareAtoms(walk, from, to).slice(0, most);
      row.set(to, found);
      return found;
    },
  };
  return walk;
}

function compareAtoms(walk: Walk, from: FullSchema, to: FullSchema): readonly Suspicion[] {
  const targets = walk.b.atoms(to);
  if (targets.some(({ kind }) => kind === "any")) return [];
  const texts = { accepted: wordsFor(from, walk.a), refused: wordsFor(to, walk.b) };
  const suspect = (rule: SchemaRule, values: () => Iterable<unknown>): Suspicion => {
    return { rule, steps: [], ...texts, candidates: values };
  };
  const found: Suspicion[] = [];
  const lost: unknown[] = [];
  const own = walk.a.atoms(from);
  for (const atom of own) {
    if (atom.kind === "value") {
      if (!walk.b.accepts(to, atom.value)) lost.push(atom.value);
      continue;
    }
    const partners = targets.filter(({ kind }) => kind === atom.kind);
    if (partners.length > 0) {
      found.push(...comparePartners(walk, atom, partners, own.length));
      continue;
    }
    const isChoice = targets.some((target) => target.kind === "value" && kindOf(target.value) === atom.kind);
    const rule = isChoice ? "choice" : own.length > 1 && atom.kind !== "any" ? "member" : "type";
    const accepted = textOf(atom, walk.a);
    found.push({ ...suspect(rule, () => walk.values(atom.schema, undefined)), ...(rule === "member" && { accepted }) });
  }
  const values = lost.filter((value) => value !== null);
  const isSameKind = values.every((value) => targets.some((target) => matches(target, value)));
  if (values.length > 0) {
    const text = isSameKind ? { accepted: values.map((value) => JSON.stringify(value)).join(", ") } : {};
    found.push({ ...suspect(isSameKind ? "values" : "type", () => values), ...text });
  }
  if (lost.includes(null)) found.push(suspect(own.length === 1 ? "type" : "null", () => [null]));
  return found;
}

function matches(target: Atom, value: unknown): boolean {
  if (target.kind === "value") return typeof target.value === typeof value && target.value !== null;
  return target.kind === kindOf(value);
}

/** Compares an alternative with the alternative of the other side that corresponds to it. */
function comparePartners(
  walk: Walk,
  atom: Atom,
  partners: readonly Atom[],
  alternatives: number,
): readonly Suspicion[] {
  let best: readonly Suspicion[] | undefined;
  const fitting = partners.filter((partner) => isMeant(walk, atom.schema, partner.schema));
  if (fitting.length === 0 && (partners.length > 1 || alternatives > 1)) {
    const accepted = textOf(atom, walk.a);
    return [
      { rule: "member", steps: [], accepted, refused: "absent", candidates: () => walk.values(atom.schema, undefined) },
    ];
  }
  for (const partner of fitting.length === 0 ? partners : fitting) {
    const found = compareKind(walk, atom, partner);
    if (found.length === 0) return [];
    if (best === undefined || found.length < best.length) best = found;
  }
  return best ?? [];
}

/** False for objects whose discriminating fields have different values. */
function isMeant(walk: Walk, a: FullSchema, b: FullSchema): boolean {
  const others = new Map(fieldsOf(b));
  return [...fixedFields(a)].every(([key, value]) => {
    const other = others.get(key);
    if (other === undefined || (other.const === undefined && other.enum === undefined)) return true;
    return walk.b.accepts(other, value);
  });
}

/** Describes the values that a schema accepts, in a few words. */
function wordsFor(schema: FullSchema, { root }: Side): string {
  return expectedText(schema, root) || "nothing";
}

/** An alternative in a few words: an object by its discriminating fields. */
function textOf(atom: Atom, side: Side): string {
  const fixed = atom.kind === "object" ? fixedFields(atom.schema) : new Map();
  return fixed.size === 0 ? wordsFor(atom.schema, side) : JSON.stringify(Object.fromEntries(fixed));
}

function compareKind(walk: Walk, { kind, schema }: Atom, { schema: other }: Atom): readonly Suspicion[] {
  switch (kind) {
    case "number":
      return compareNumbers(schema, other);
    case "string":
      return compareStrings(schema, other);
    case "array":
      return compareArrays(walk, schema, other);
    case "object": {
      const urn = sharedUrn(schema, other);
      const found = compareObjects(walk, schema, other);
      return urn === undefined ? found : found.map((one) => (one.steps.length > 0 ? one : { ...one, urn }));
    }
    default:
      return [];
  }
}

function partition<T>(items: readonly T[], test: (item: T) => boolean): readonly [readonly T[], readonly T[]] {
  const passed = items.filter(test);
  return [passed, items.filter((item) => !passed.includes(item))];
}

/** Finds string constraints of `b` that may refuse a value which `a` accepts. */
function compareStrings(a: FullSchema, b: FullSchema): readonly Suspicion[] {
  const found: Suspicion[] = [];
  const suspect = (rule: SchemaRule, accepted: unknown, refused: unknown): void => {
    const texts = { accepted: String(accepted ?? "none"), refused: String(refused ?? "none") };
    found.push({ rule, steps: [], ...texts, candidates: () => stringCandidates(a, b) });
  };
  if ((b.minLength ?? 0) > (a.minLength ?? 0)) suspect("minLength", a.minLength ?? 0, b.minLength);
  if ((b.maxLength ?? Infinity) < (a.maxLength ?? Infinity)) suspect("maxLength", a.maxLength, b.maxLength);
  const known = patternsOf(a);
  const fresh = patternsOf(b).filter((pattern) => !known.includes(pattern));
  if (fresh.length > 0) suspect("pattern", patternText(known), patternText(patternsOf(b)));
  if (b.format !== undefined && b.format !== a.format && formats[b.format] !== undefined) {
    suspect("format", a.format, b.format);
  }
  return found;
}

/** All patterns that a text must match. */
function patternsOf({ pattern, allOf = [] }: FullSchema): readonly string[] {
  return [pattern, ...allOf.map((part) => part.pattern)].filter((one) => one !== undefined);
}

function patternText(patterns: readonly string[]): string {
  return patterns.length === 0 ? "none" : patterns.map((pattern) => `/${pattern}/`).join(" and ");
}
