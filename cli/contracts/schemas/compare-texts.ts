import { canonicalJson } from "../../../runtime/contract/validation/json-value.ts";
import { escapeStep } from "../../../runtime/contract/validation/report/problem.ts";
import { type FullSchema, resolveSchema } from "../../../runtime/contract/validation/report/schema.ts";
import type { Finding } from "../finding.ts";
import { elementAt, elementsOf } from "./array-shape.ts";
import type { Atom } from "./atoms.ts";
import { fieldsOf, fixedFields, rulesFor } from "./object-shape.ts";
import type { Side } from "./side.ts";

type TextFinding = Omit<Finding, "tool">;

/** Keywords that do not affect which values are accepted, with the severity and the rule of a change. */
const keywords = [
  ["description", "wording", "description-changed", "the description changed"],
  ["title", "wording", "title-changed", "the title changed"],
  ["examples", "wording", "examples-changed", "the examples changed"],
  ["deprecated", "wording", "deprecation-changed", "the deprecation changed"],
  ["default", "behaviour", "default-changed", "the default went from {before} to {after}"],
  ["x-mcp-header", "behaviour", "header-changed", "the MCP header went from {before} to {after}"],
] as const;

/** Rules for added and removed fields that do not affect which values are accepted. */
const fields = {
  request: {
    added: ["additive", "field-added", "is new and optional"],
    removed: ["behaviour", "field-ignored", "was removed; callers may go on to send it, and it is ignored"],
  },
  result: {
    added: ["additive", "field-added", "is new"],
    removed: ["behaviour", "field-removed", "was removed; it was optional"],
  },
} as const;

/**
 * Differences that do not affect which values are accepted: texts, defaults, and fields that are added or removed
 * without harm.
 */
export function compareTexts(before: Side, after: Side, direction: "request" | "result"): readonly TextFinding[] {
  const found: TextFinding[] = [];
  const seen = new Map<FullSchema, Set<FullSchema>>();

  function add(steps: readonly string[], severity: Finding["severity"], rule: string, message: string): void {
    const place = steps.length === 0 ? direction : `${direction} /${steps.join("/")}`;
    found.push({ severity, place, rule, message });
  }

  function visit(a: FullSchema, b: FullSchema, steps: readonly string[]): void {
    compareKeywords(layersOf(a, before), layersOf(b, after), steps);
    const row = seen.get(resolveSchema(a, before.root)) ?? new Set();
    seen.set(resolveSchema(a, before.root), row);
    if (row.has(resolveSchema(b, after.root))) return;
    row.add(resolveSchema(b, after.root));
    for (const [from, to] of pairs(before.atoms(a), after.atoms(b))) {
      if (from.kind === "object") visitObject(from.schema, to.schema, steps);
      else if (from.kind === "array") visitArray(from.schema, to.schema, steps);
    }
  }

  function compareKeywords(a: Layers, b: Layers, steps: readonly string[]): void {
    for (const [keyword, severity, rule, text] of keywords) {
      const [old, now] = [a[keyword], b[keyword]];
      // Defaults of results are skipped, since they have no effect.
      if (canonicalJson(old) === canonicalJson(now) || (keyword === "default" && direction === "result")) continue;
      add(steps, severity, rule, text.replace("{before}", shown(old)).replace("{after}", shown(now)));
    }
  }

  function visitObject(a: FullSchema, b: FullSchema, steps: readonly string[]): void {
    const [old, now] = [new Map(fieldsOf(a)), new Map(fieldsOf(b))];
    for (const [key, part] of old) {
      const other = now.get(key);
      const inner = [...steps, escapeStep(key)];
      if (other !== undefined) visit(part, other, inner);
      // A required field of a result is skipped here, and so is a field that is now refused: other findings report
      // them.
      else if (direction === "request" ? rulesFor(b, key) !== false : a.required?.includes(key) !== true) {
        const [severity, rule, message] = fields[direction].removed;
        add(inner, severity, rule, message);
      }
    }
    for (const key of now.keys()) {
      if (old.has(key)) continue;
      const isSilent = direction === "result" || b.required?.includes(key) !== true;
      const [severity, rule, message] = fields[direction].added;
      if (isSilent) add([...steps, escapeStep(key)], severity, rule, message);
    }
    if (a.additionalProperties && b.additionalProperties) {
      visit(a.additionalProperties, b.additionalProperties, [...steps, "*"]);
    }
  }

  function visitArray(a: FullSchema, b: FullSchema, steps: readonly string[]): void {
    const [from, to] = [elementsOf(a), elementsOf(b)];
    const count = Math.min(from.first.length, to.first.length);
    for (let index = 0; index < count; index++) {
      visit(elementAt(from, index), elementAt(to, index), [...steps, String(index)]);
    }
    if (from.rest !== undefined && to.rest !== undefined) visit(from.rest, to.rest, [...steps, "*"]);
  }

  visit(before.root, after.root, []);
  return found;
}

type Layers = Readonly<Record<string, unknown>>;

/**
 * Returns the keywords of a schema part. Keywords beside a reference take precedence over those of the referenced type.
 */
function layersOf(schema: FullSchema, { root }: Side): Layers {
  const { examples, ...own } = { ...resolveSchema(schema, root), ...schema } as Layers;
  return { ...own, ...(Array.isArray(examples) && examples.length > 0 && { examples }) };
}

/**
 * Pairs alternatives of the same kind: each with the alternative that has the same fixed fields, else with the one at
 * the same position.
 */
function pairs(a: readonly Atom[], b: readonly Atom[]): readonly (readonly [Atom, Atom])[] {
  return a.flatMap((from) => {
    const same = b.filter(({ kind }) => kind === from.kind);
    const name = nameOf(from);
    const index = a.filter(({ kind }) => kind === from.kind).indexOf(from);
    const to = name === undefined ? same[index] : same.find((other) => nameOf(other) === name);
    return to === undefined ? [] : [[from, to] as const];
  });
}

function nameOf({ kind, schema }: Atom): string | undefined {
  const fixed = kind === "object" ? fixedFields(schema) : undefined;
  return fixed === undefined || fixed.size === 0 ? undefined : canonicalJson(Object.fromEntries(fixed));
}

function shown(value: unknown): string {
  return value === undefined ? "none" : JSON.stringify(value);
}
