import { isMultiple } from "../../../runtime/contract/validation/json-value.ts";
import type { FullSchema } from "../../../runtime/contract/validation/report/schema.ts";
import type { SchemaRule } from "./schema-rules.ts";
import type { Suspicion } from "./suspicion.ts";

interface Bound {
  readonly at: number;
  readonly isOpen: boolean;
}

/** Suspicions about the numbers of two schemas. */
export function compareNumbers(a: FullSchema, b: FullSchema): readonly Suspicion[] {
  const found: Suspicion[] = [];
  const suspect = (rule: SchemaRule, accepted: string, refused: string): void => {
    found.push({ rule, steps: [], accepted, refused, candidates: () => numberCandidates(a, b) });
  };
  if (b.type === "integer" && !isInteger(a)) suspect("integer", "number", "integer");
  const [low, high] = [lowest(a), highest(a)];
  const [least, most] = [lowest(b), highest(b)];
  if (isTighter(least, low, 1)) suspect("minimum", boundText(low), boundText(least));
  if (isTighter(most, high, -1)) suspect("maximum", boundText(high), boundText(most));
  if (b.multipleOf !== undefined && !isStepOf(a, b.multipleOf)) {
    suspect("multipleOf", String(a.multipleOf ?? "none"), String(b.multipleOf));
  }
  return found;
}

function isInteger({ type, multipleOf }: FullSchema): boolean {
  return type === "integer" || (multipleOf !== undefined && Number.isInteger(multipleOf));
}

function isStepOf(a: FullSchema, step: number): boolean {
  if (a.multipleOf !== undefined && isMultiple(a.multipleOf, step)) return true;
  return isInteger(a) && isMultiple(1, step);
}

function lowest(schema: FullSchema): Bound {
  const { minimum = -Infinity, exclusiveMinimum = -Infinity } = schema;
  const bound = exclusiveMinimum >= minimum ? { at: exclusiveMinimum, isOpen: true } : { at: minimum, isOpen: false };
  return schema.type === "integer" ? onInteger(bound, 1) : bound;
}

function highest(schema: FullSchema): Bound {
  const { maximum = Infinity, exclusiveMaximum = Infinity } = schema;
  const bound = exclusiveMaximum <= maximum ? { at: exclusiveMaximum, isOpen: true } : { at: maximum, isOpen: false };
  return schema.type === "integer" ? onInteger(bound, -1) : bound;
}

/** Converts a bound to the equivalent bound that is itself an allowed integer. */
function onInteger({ at, isOpen }: Bound, inward: 1 | -1): Bound {
  if (!Number.isFinite(at)) return { at, isOpen };
  const rounded = inward === 1 ? Math.ceil(at) : Math.floor(at);
  return { at: isOpen && rounded === at ? at + inward : rounded, isOpen: false };
}

function isTighter(b: Bound, a: Bound, inward: 1 | -1): boolean {
  if (b.at === a.at) return b.isOpen && !a.isOpen && Number.isFinite(b.at);
  return inward === 1 ? b.at > a.at : b.at < a.at;
}

function boundText({ at, isOpen }: Bound): string {
  if (!Number.isFinite(at)) return "none";
  if (Math.abs(at) === Number.MAX_SAFE_INTEGER) return "that of integers";
  return isOpen ? `${at} (not included)` : String(at);
}

/** Generates numbers near every bound and step of the schemas, then other numbers; short ones first. */
export function* numberCandidates(...schemas: readonly FullSchema[]): Iterable<number> {
  const bounds = schemas.flatMap((schema) =>
    [schema.minimum, schema.maximum, schema.exclusiveMinimum, schema.exclusiveMaximum].filter(
      (bound) => bound !== undefined,
    ),
  );
  const steps = [1, 0.5, 0.001, ...schemas.flatMap(({ multipleOf }) => multipleOf ?? [])];
  const middles = bounds.flatMap((low, index) => bounds.slice(index + 1).map((high) => low + (high - low) / 2));
  const seen = new Set<number>();
  for (const values of [[...bounds, ...middles], others]) {
    const close = values.flatMap((value) => around(value, steps)).filter((number) => !seen.has(number));
    for (const number of shortFirst(close)) {
      seen.add(number);
      yield number;
    }
  }
}

const others = [0, 1, 2, 7, -1, 0.5, 1.5, -0.5, 0.1, 10, 100, 1e6, 1e10, -1e10, 1e300, -1e300];

function around(value: number, steps: readonly number[]): readonly number[] {
  const close = [value, value - Math.abs(value) * 1e-12, value + Math.abs(value) * 1e-12, value / 2, value * 2];
  for (const step of steps) {
    const below = Math.floor(value / step);
    close.push(...[-2, -1, 0, 1, 2].map((offset) => (below + offset) * step), value - step, value + step);
  }
  return close;
}

function shortFirst(numbers: readonly number[]): readonly number[] {
  const lengths = new Map(numbers.map((number) => [number, Number.isFinite(number) ? String(number).length : 0]));
  return [...lengths]
    .filter(([, length]) => length > 0)
    .toSorted(([a, long], [b, other]) => long - other || Math.abs(a) - Math.abs(b))
    .map(([number]) => number);
}
