import type { FullSchema } from "../../../runtime/contract/validation/report/schema.ts";
import { elementAt, type Elements, elementsOf, fillArray } from "./array-shape.ts";
import type { SchemaRule } from "./schema-rules.ts";
import { type Step, type Suspicion, type Walk, within } from "./suspicion.ts";

/** Maximum length of an array in a finding. */
const longest = 5000;

/** Suspicions about the arrays of two schemas. */
export function compareArrays(walk: Walk, a: FullSchema, b: FullSchema): readonly Suspicion[] {
  const [from, to] = [elementsOf(a), elementsOf(b)];
  const sized = (size: number): unknown[] | undefined =>
    fillArray(a, size, (part, index) => walk.values(part, elementAt(to, index)));
  const found: Suspicion[] = [];
  const suspect = (rule: SchemaRule, accepted: unknown, refused: unknown, sizes: readonly number[]): void => {
    const candidates = (): Iterable<unknown> =>
      sizes.filter((size) => size >= from.least && size <= Math.min(from.most, longest)).map(sized);
    found.push({ rule, steps: [], accepted: sizeText(accepted), refused: sizeText(refused), candidates });
  };
  if (to.least > from.least) suspect("minItems", from.least, to.least, [to.least - 1, from.least]);
  if (to.most < from.most) suspect("maxItems", from.most, to.most, [to.most + 1, from.least]);
  if (to.isUnique && !from.isUnique && from.most > 1) found.push(equalElements(walk, a, from));
  const count = Math.max(from.first.length, to.first.length);
  for (let index = 0; index <= count && index < from.most; index++) {
    if (index >= to.most) break;
    const isRest = index === count;
    const step = stepTo(a, from, to, index, isRest ? "*" : String(index), walk);
    found.push(...within(step, walk.compare(elementAt(from, index), elementAt(to, index))));
  }
  return found;
}

function stepTo(a: FullSchema, from: Elements, to: Elements, at: number, text: string, walk: Walk): Step {
  return {
    text,
    fill(part) {
      const values = (element: FullSchema, index: number): readonly unknown[] =>
        index === at ? [part] : walk.values(element, elementAt(to, index));
      const size = Math.max(from.least, at + 1);
      if (!from.isUnique) return fillArray(a, size, values);
      // The candidate for the changed element comes first; the other elements must differ from it.
      const others = walk.values(elementAt(from, at), elementAt(to, at));
      return fillArray(a, size, () => [part, ...others]);
    },
  };
}

function equalElements(walk: Walk, a: FullSchema, from: Elements): Suspicion {
  const size = Math.max(2, from.least);
  return {
    rule: "uniqueItems",
    steps: [],
    accepted: "any elements",
    refused: "distinct elements",
    candidates: () => [fillArray(a, size, (part) => walk.values(part, undefined).slice(0, 1))],
  };
}

function sizeText(size: unknown): string {
  return size === Infinity ? "none" : String(size);
}
