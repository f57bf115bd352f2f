import { expectedText, fixedValues } from "./expected.ts";
import { canonicalJson } from "../json-value.ts";
import { ownTest } from "./own-test.ts";
import { resolveSchema, schemaTypes, type FullSchema } from "./schema.ts";
import { candidatesOf, type Candidate } from "./suggest.ts";

/** A schema prepared for many values: references are resolved, patterns compiled, texts made once. */
export interface Rule {
  /** Tests the value itself, not its fields or elements. */
  readonly isLegal: (value: unknown) => boolean;
  /** The accepted values, in the author's words. */
  readonly expected: () => string;
  /** Texts of the choices when the rule is a choice of fixed values. */
  readonly choices: () => readonly Candidate[];
  /** JSON types that the schema names; `undefined` when it names none. */
  readonly types: () => readonly string[] | undefined;
  /** Set for a rule with one fixed value. */
  readonly constant: { readonly value: unknown } | undefined;
  /** Present for a choice between schemas; all other keywords are then ignored. */
  readonly union: () => UnionRule | undefined;
  readonly elements: () => ElementRules;
  readonly keys: () => KeyRules;
}

export interface UnionRule {
  readonly members: readonly Rule[];
  /** Members that accept arrays. */
  readonly arrays: readonly Rule[];
  readonly objects: readonly Rule[];
  /** Key by which objects are distinguished, the member for each of its values, and a rule for the key's value. */
  readonly discriminator:
    | { readonly key: string; readonly byValue: ReadonlyMap<unknown, Rule>; readonly asks: Rule }
    | undefined;
}

export interface ElementRules {
  readonly first: readonly Rule[];
  readonly rest: Rule | undefined;
}

export interface KeyRules {
  readonly fields: readonly FieldRule[];
  readonly byKey: ReadonlyMap<string, FieldRule>;
  readonly patterns: readonly { readonly source: string; readonly pattern: RegExp; readonly rule: Rule }[];
  /** Rule for keys that match neither a field nor a pattern. */
  readonly others: Rule | undefined;
  /** True if a strict report refuses unknown keys. */
  readonly isClosed: boolean;
}

export interface FieldRule {
  readonly key: string;
  readonly rule: Rule;
  readonly isRequired: boolean;
}

// Cache of rules, since a schema never changes.
const known = new WeakMap<FullSchema, Rule>();

/** The rule of a whole full schema; its references lead into its `$defs`. */
export function rootRule(root: FullSchema): Rule {
  let rule = known.get(root);
  if (rule === undefined) {
    rule = openRules(root)(root);
    known.set(root, rule);
  }
  return rule;
}

/**
 * Creates a function that makes the rules of the parts of one root. Rules are made on demand, so that recursive schemas
 * end.
 */
function openRules(root: FullSchema): (schema: FullSchema) => Rule {
  const rules = new Map<FullSchema, Rule>();
  const ruleOf = (schema: FullSchema): Rule => {
    let rule = rules.get(schema);
    if (rule === undefined) {
      rule = makeRule(schema, root, ruleOf);
      rules.set(schema, rule);
    }
    return rule;
  };
  return ruleOf;
}

type RuleOf = (schema: FullSchema) => Rule;

function makeRule(schema: FullSchema, root: FullSchema, ruleOf: RuleOf): Rule {
  const target = resolveSchema(schema, root);
  return {
    isLegal: ownTest(target),
    expected: once(() => expectedText(schema, root)),
    choices: once(() => candidatesOf((fixedValues(target, root) ?? []).filter((value) => typeof value === "string"))),
    types: once(() => schemaTypes(target, root)),
    constant: "const" in target ? { value: target.const } : undefined,
    union: once(() => (target.anyOf === undefined ? undefined : unionRule(target.anyOf, root, ruleOf))),
    elements: once(() => ({
      first: (target.prefixItems ?? []).map(ruleOf),
      rest: target.items === undefined || target.items === false ? undefined : ruleOf(target.items),
    })),
    keys: once(() => keyRules(target, ruleOf)),
  };
}

/** Rule for the schema `false`: a key that must be missing. */
const noKey: FullSchema = { $comment: "no such key", enum: [] };

function keyRules(schema: FullSchema, ruleOf: RuleOf): KeyRules {
  const { properties = {}, required = [], patternProperties = {}, additionalProperties } = schema;
  const fields = Object.entries(properties).map(([key, property]) => ({
    key,
    rule: ruleOf(property || noKey),
    isRequired: required.includes(key),
  }));
  return {
    fields,
    byKey: new Map(fields.map((field) => [field.key, field])),
    patterns: Object.entries(patternProperties).map(([source, part]) => ({
      source,
      pattern: new RegExp(source, "u"),
      rule: ruleOf(part),
    })),
    others: additionalProperties === undefined ? undefined : ruleOf(additionalProperties || noKey),
    isClosed: (schema.properties ?? schema.patternProperties) !== undefined,
  };
}

function unionRule(members: readonly FullSchema[], root: FullSchema, ruleOf: RuleOf): UnionRule {
  const ofType = (type: string): readonly FullSchema[] =>
    members.filter((member) => schemaTypes(member, root)?.includes(type) !== false);
  const objects = ofType("object");
  return {
    members: members.map(ruleOf),
    arrays: ofType("array").map(ruleOf),
    objects: objects.map(ruleOf),
    discriminator: objects.length > 1 ? findDiscriminator(objects, root, ruleOf) : undefined,
  };
}

/** Finds a key that every candidate requires, with distinct values. */
function findDiscriminator(
  candidates: readonly FullSchema[],
  root: FullSchema,
  ruleOf: RuleOf,
): UnionRule["discriminator"] {
  const targets = candidates.map((candidate) => resolveSchema(candidate, root));
  for (const key of targets[0]?.required ?? []) {
    const values = targets.map((target) => discriminatingValues(target, key, root));
    const texts = values.flat().map(canonicalJson);
    if (values.some((entry) => entry.length === 0) || new Set(texts).size < texts.length) continue;
    return {
      key,
      byValue: new Map(
        values.flatMap((entry, index) => entry.map((value) => [value, ruleOf(candidates[index] ?? {})])),
      ),
      // Schema for an unknown value of the discriminating key, so that the problem only lists the allowed values.
      asks: ruleOf({ type: "object", required: [key], properties: { [key]: { enum: values.flat() as never } } }),
    };
  }
  return undefined;
}

function discriminatingValues(schema: FullSchema, key: string, root: FullSchema): readonly unknown[] {
  const { properties = {}, required = [] } = schema;
  const property = Object.hasOwn(properties, key) && required.includes(key) ? properties[key] : undefined;
  return property === undefined || property === false ? [] : (fixedValues(property, root) ?? []);
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
