import { ts } from "ts-morph";
import { constraintTags, listTags } from "../../base/tag-names.ts";
import type { Doc } from "../../base/tsdoc.ts";
import type { Reading } from "../../base/reading.ts";
import { isPlatformFile } from "../../base/tenon-symbols.ts";

/**
 * Place of a property's original type in the type that a mapped type made of it: the whole or an alternative, the item
 * of a list, or deeper, such as a field of an object.
 */
export type KeptPlace = "whole" | "item" | "deeper";

/** Nesting of lists in which an item is searched. */
const deepestList = 5;

/** Finds the original type of a property in the type that a mapped type made of it. */
export function keptPlace(reading: Reading, before: ts.Type, after: ts.Type): KeptPlace {
  if (holds(reading, before, after)) return "whole";
  if (isItem(reading, before, after, 0)) return "item";
  // A list whose items were mapped, as by `DeepReadonly<T>`, is still the same list.
  const lists = alternatives(before);
  const isSame = alternatives(after).some((one) => lists.some((list) => isSameList(reading, list, one)));
  return isSame ? "whole" : "deeper";
}

/** The comment of a property for the place where its type is now, without the tags that do not apply there. */
export function docAt(place: KeptPlace, doc: Doc): Doc {
  if (place === "whole") return doc;
  const dropped = place === "item" ? listTags : constraintTags;
  return { ...doc, tags: doc.tags.filter(({ name }) => !dropped.has(name) && !wholeTags.has(name)) };
}

/** Tags about the value of a whole field. */
const wholeTags: ReadonlySet<string> = new Set(["default", "defaultValue", "example", "header"]);

function holds({ checker }: Reading, before: ts.Type, after: ts.Type): boolean {
  const originals = alternatives(before);
  return alternatives(after).some((one) => {
    if (originals.includes(one)) return true;
    // A branded value is still the value.
    if (one.isIntersection() && one.types.some((part) => originals.includes(part))) return true;
    const { modifiersType } = mappedParts(checker, one);
    return modifiersType !== undefined && originals.includes(modifiersType);
  });
}

function isItem(reading: Reading, before: ts.Type, after: ts.Type, depth: number): boolean {
  const { checker } = reading;
  if (depth > deepestList) return false;
  return alternatives(after).some((list) => {
    if (!checker.isArrayType(list) && !isOf(reading, setNames, list)) return false;
    const [item] = checker.getTypeArguments(list as ts.TypeReference);
    return item !== undefined && (holds(reading, before, item) || isItem(reading, before, item, depth + 1));
  });
}

const setNames: readonly string[] = ["Set", "ReadonlySet"];
const mapNames: readonly string[] = ["Map", "ReadonlyMap"];

/** True for one of the platform's own types with these names. */
function isOf(reading: Reading, names: readonly string[], type: ts.Type): boolean {
  const symbol = type.getSymbol();
  if (symbol === undefined || !names.includes(symbol.name)) return false;
  return symbol.declarations?.some((one) => isPlatformFile(reading, one.getSourceFile())) === true;
}

function isSameList(reading: Reading, before: ts.Type, after: ts.Type): boolean {
  const { checker } = reading;
  if (checker.isArrayType(before)) return checker.isArrayType(after);
  for (const names of [setNames, mapNames]) if (isOf(reading, names, before)) return isOf(reading, names, after);
  if (!checker.isTupleType(before) || !checker.isTupleType(after)) return false;
  const parts = checker.getTypeArguments(after as ts.TypeReference);
  return parts.length === checker.getTypeArguments(before as ts.TypeReference).length && !parts.includes(before);
}

const empty = ts.TypeFlags.Undefined | ts.TypeFlags.Void | ts.TypeFlags.Null;

function alternatives(type: ts.Type): readonly ts.Type[] {
  return (type.isUnion() ? type.types : [type]).filter(({ flags }) => (flags & empty) === 0);
}

/** Internal data of the compiler about a mapped type. */
interface MappedParts {
  readonly declaration?: ts.MappedTypeNode;
  /** The type whose properties are mapped. */
  readonly modifiersType?: ts.Type;
}

/** Returns the parts of a mapped type such as `Readonly<T>`; empty for other types. */
export function mappedParts(checker: ts.TypeChecker, type: ts.Type): MappedParts {
  if ((type.flags & ts.TypeFlags.Object) === 0) return {};
  if (((type as ts.ObjectType).objectFlags & ts.ObjectFlags.Mapped) === 0) return {};
  // The compiler sets the parts when it makes the properties.
  checker.getPropertiesOfType(type);
  return type as ts.Type & MappedParts;
}
