import type { ToolModel } from "../../model/tool.ts";
import type { TypeModel } from "../../model/type.ts";
import { shapeKey } from "./shape-key.ts";
import { rootType } from "./type-facts.ts";

/** Returns the name of a type for functions about it, such as `PrimeRequest`: letters and digits, not unique. */
export type NameOf = (type: TypeModel) => string;

/** The parts of a tool that name its types. */
export type NamedTypes = Pick<ToolModel, "name" | "request" | "result" | "definitions">;

/** Maximum length of a name; longer names add nothing. */
const longest = 60;
/** Maximum number of members that appear in the name of a union. */
const mostNamed = 3;

/**
 * Names the types of a tool. A declared type keeps its name, a list gets the name of its items. An anonymous object is
 * named after its first occurrence: `PrimeRequestOptions`.
 */
export function nameTypes({ name, request, result, definitions }: NamedTypes): NameOf {
  const places = new Map<string, string>();

  /** Names an anonymous type, and all its parts. */
  const visit = (type: TypeModel, place: string): void => {
    if (type.kind === "array" || type.kind === "set") return visit(type.items, `${place}Item`);
    if (type.kind === "map") return visit(type.values, `${place}Value`);
    if (type.kind !== "object" && type.kind !== "union" && type.kind !== "tuple") return;
    const key = shapeKey(type);
    if (places.has(key)) return;
    places.set(key, place);
    if (type.kind === "tuple") {
      for (const [index, element] of type.elements.entries()) visit(element.type, `${place}${index + 1}`);
      if (type.rest !== undefined) visit(type.rest, `${place}Rest`);
    } else if (type.kind === "union") {
      const several = type.members.filter((member) => member.kind !== "literal").length > 1;
      for (const [index, member] of type.members.entries()) visit(member, several ? `${place}${index + 1}` : place);
    } else {
      for (const field of type.fields) visit(field.type, place + wordOf(field.key, "Field"));
      for (const pattern of type.patterns ?? []) visit(pattern.type, `${place}Value`);
      if (type.index !== undefined) visit(type.index, `${place}Value`);
    }
  };

  const roots = [
    ["Request", request],
    ["Result", result],
  ] as const;
  for (const [role, root] of roots) {
    if (root?.type === undefined) continue;
    const place = root.type.kind === "ref" ? wordOf(root.type.name, role) : `${wordOf(name, "Tool")}${role}`;
    visit(rootType(root.type, root.urn, definitions), place);
  }
  for (const [declared, type] of Object.entries(definitions)) {
    const place = wordOf(declared, "Type");
    const key = shapeKey(type);
    visit(type, place);
    // A declared type keeps its name, even if an anonymous type that is equal to it came first.
    if (places.has(key)) places.set(key, place);
  }

  const nameOf = (type: TypeModel): string => {
    switch (type.kind) {
      case "ref":
        return wordOf(type.name, "Type");
      case "array":
        return `${nameOf(type.items)}List`;
      case "set":
        return `${nameOf(type.items)}Set`;
      case "map":
        return `${nameOf(type.values)}Map`;
      case "string":
        return type.format === undefined ? "String" : wordOf(type.format, "String");
      case "number":
        return type.integer === undefined ? "Number" : wordOf(type.integer, "Number");
      default:
        return places.get(shapeKey(type)) ?? (type.kind === "union" ? unionName(type.members) : wordOf(type.kind, ""));
    }
  };
  const unionName = (members: readonly TypeModel[]): string =>
    members.length > mostNamed ? "Union" : members.map(nameOf).join("Or");
  return (type) => nameOf(type).slice(0, longest);
}

/**
 * Converts a text to a part of an identifier: `created-at` becomes `CreatedAt`. Undefined for a text with letters
 * beyond ASCII.
 */
function wordOf(text: string, otherwise: string): string {
  const words = /^[ -~]+$/.test(text) ? (text.slice(0, longest).match(/[A-Za-z\d]+/g) ?? []) : [];
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("") || otherwise;
}
