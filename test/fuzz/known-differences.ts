import type { TypeModel } from "../../plugin/model/type.ts";
import type { ToolModel } from "../../plugin/model/tool.ts";
import { childTypes } from "../../plugin/model/child-types.ts";
import { resolveType } from "../../plugin/emit/facts/type-facts.ts";

/** Verdicts of two judges on one value. */
export interface Disagreement {
  /** Of the structure. */
  readonly name: string;
  readonly value: unknown;
  readonly ours: boolean;
  readonly theirs: boolean;
}

/** A way in which typia judges otherwise by design: the types that it concerns, and the values among theirs. */
interface Difference {
  readonly concerns: (type: TypeModel, definitions: ToolModel["definitions"]) => boolean;
  readonly explains: (found: Disagreement, json: string) => boolean;
}

const inherited = Object.getOwnPropertyNames(Object.prototype);

/** Each with the reason. A disagreement that none of them explains is a bug of one side. */
export const typiaDifferences: Readonly<Record<string, Difference>> = {
  "lengths: we count code points as JSON Schema does, typia UTF-16 units": {
    concerns: (type) => type.kind === "string" && (type.minLength !== undefined || type.maxLength !== undefined),
    explains: (_, json) => /[\ud800-\udfff]|\\ud/i.test(json),
  },
  "formats: ours are stricter or wider as the table at `formats` says": {
    concerns: (type) => type.kind === "string" && type.format !== undefined,
    explains: () => true,
  },
  "templates: typia's numbers are not `.5`, and its texts have no line breaks": {
    concerns: (type) => type.kind === "template",
    explains: () => true,
  },
  "integers: beyond 2^53 we refuse what JSON cannot say exactly": {
    concerns: (type) => type.kind === "number" && type.integer !== undefined,
    explains: ({ ours, theirs }, json) => !ours && theirs && /\d{16,}|e\+?\d\d/.test(json),
  },
  "multiples: a fraction's rest is not zero in double precision, and the smallest quotients are; from 1e21 on we refuse":
    {
      concerns: (type) => type.kind === "number" && type.multipleOf !== undefined,
      explains: (_, json) => /\d\.\d|\de[-+]/.test(json),
    },
  "floats: typia's lower bound is -1.18e38": {
    concerns: (type) => type.kind === "number" && type.float === true,
    explains: ({ ours, theirs }) => ours && !theirs,
  },
  "records with number keys: for typia every key is one": {
    concerns: (type) => type.kind === "object" && type.patterns?.some(({ text }) => text === "number") === true,
    explains: ({ ours, theirs }) => ours && !theirs,
  },
  "classes: a constant initialiser is a default, so the key may be missing": {
    concerns: (type) => type.kind === "object" && type.fields.some((field) => field.default !== undefined),
    explains: ({ ours, theirs }) => ours && !theirs,
  },
  "objects: typia reads keys that every object inherits": {
    concerns: (type) => type.kind === "object" && type.fields.some(({ key }) => inherited.includes(key)),
    explains: () => true,
  },
  "records: an inherited name is a key like any other": {
    concerns: (type) => type.kind === "map" || (type.kind === "object" && type.index !== undefined),
    explains: (_, json) => inherited.some((key) => json.includes(`"${key}"`)),
  },
  "objects: a key of type `unknown` must be there unless it is optional": {
    concerns: (type) =>
      type.kind === "object" &&
      type.fields.some(({ type: { kind }, optional }) => kind === "unknown" && optional !== true),
    explains: ({ ours, theirs }) => !ours && theirs,
  },
  "objects: an array is none, also where no key is required": {
    concerns: (type) => type.kind === "object",
    explains: ({ ours, theirs }, json) => !ours && theirs && json.includes("["),
  },
  "bytes: typia 12 does not know `Uint8Array` where the compiler has it generic": {
    concerns: (type) => type.kind === "bytes",
    explains: ({ ours, theirs }) => ours && !theirs,
  },
  "unions: typia takes the member that a key hints at, and does not try the others": {
    concerns: (type, definitions) => {
      if (type.kind !== "union") return false;
      const kinds = type.members.map((member) => resolveType(member, definitions).kind);
      return ["object", "array", "tuple"].some((kind) => kinds.filter((one) => one === kind).length > 1);
    },
    explains: ({ ours, theirs }) => ours && !theirs,
  },
};

/** Members of types that tags and formats bring, which the compiler does not see. */
const narrowing = new Set(
  "minLength maxLength patterns format integer float minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems uniqueItems urn".split(
    " ",
  ),
);

/** Structures with a type that is nominal for the compiler alone. */
const nominal: Readonly<Record<string, readonly string[]>> = {
  brands: ["atomic.Branded", "atomic.HasBrand", "golden.mapped-around_take", "golden.mapped-values_take"],
  enums: [
    "discriminated.ByEnum",
    "literals.Color",
    "literals.Both",
    "literals.UsesEnums",
    "literals.Member",
    "odd.Constants",
    "golden.enums_take",
    "golden.member-texts_take",
  ],
  methods: ["objects.Methods"],
  "fields that are internal": ["objects.PartlyInternal", "golden.docs_find"],
};

/** The same for TypeScript. */
export const compilerDifferences: Readonly<Record<string, Difference>> = {
  "tags: the compiler knows none": {
    concerns: (type) => Object.keys(type).some((key) => narrowing.has(key)),
    explains: ({ ours, theirs }) => !ours && theirs,
  },
  "objects without a required key: the compiler asks for one that both have": {
    concerns: (type) => type.kind === "object" && type.fields.every(({ optional }) => optional === true),
    explains: ({ ours, theirs }) => ours && !theirs,
  },
  "objects without a required key: for the compiler texts, numbers and lists are such": {
    concerns: (type) =>
      type.kind === "map" || (type.kind === "object" && type.fields.every(({ optional }) => optional === true)),
    explains: ({ ours, theirs }) => !ours && theirs,
  },
  "templates: the compiler splits a text at the first separator only, and its numbers are finite": {
    concerns: (type) => type.kind === "template",
    explains: ({ ours, theirs }) => ours && !theirs,
  },
  "objects: the compiler reads keys that every object inherits": {
    concerns: (type) => type.kind === "object" && type.fields.some(({ key }) => inherited.includes(key)),
    explains: () => true,
  },
  "defaults: a key with one may be missing": {
    concerns: (type) => type.kind === "object" && type.fields.some((field) => field.default !== undefined),
    explains: ({ ours, theirs }) => ours && !theirs,
  },
  ...Object.fromEntries(
    Object.entries(nominal).map(([kind, names]) => [
      `${kind}: nominal for the compiler, and plain data on the wire`,
      {
        concerns: () => true,
        explains: ({ name, ours, theirs }: Disagreement) => ours && !theirs && names.includes(name),
      },
    ]),
  ),
};

/** All types that a tool's request is made of. */
export function typesOf({ request, definitions }: ToolModel): readonly TypeModel[] {
  const found = new Set<TypeModel>();
  const visit = (type: TypeModel): void => {
    const target = resolveType(type, definitions);
    if (found.has(target)) return;
    found.add(target);
    for (const child of childTypes(target)) visit(child);
  };
  if (request !== undefined) visit(request.type);
  return [...found];
}

/** The reason of a table why another judge may say otherwise here; undefined when there is none. */
export function explainBy(
  table: Readonly<Record<string, Difference>>,
  types: readonly TypeModel[],
  definitions: ToolModel["definitions"],
  found: Disagreement,
): string | undefined {
  const json = JSON.stringify(found.value) ?? "";
  for (const [reason, { concerns, explains }] of Object.entries(table)) {
    if (explains(found, json) && types.some((type) => concerns(type, definitions))) return reason;
  }
  return undefined;
}
