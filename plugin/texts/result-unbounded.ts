import { resolveType } from "../emit/facts/type-facts.ts";
import type { ToolModel } from "../model/tool.ts";
import type { FieldModel } from "../model/type.ts";
import { objectIn, requestFields, type TextFinding } from "./text-finding.ts";
import { meaning, nameWords } from "./words.ts";

/** Words in the names of parameters by which a caller limits a result, or gets it in pages. */
const bounding: ReadonlySet<string> = new Set(
  (
    "cursor offset page pages limit max maximum count top first last take size skip start end from to since until after before " +
    "n k num number per depth range amount ids"
  ).split(" "),
);
const listing: ReadonlySet<string> = new Set(["list", "search", "get", "show"]);

/** TN607: a search result that is a list of any length, with no parameter that limits it. */
export function resultUnbounded(tool: ToolModel): readonly TextFinding[] {
  const { name, result, definitions, position } = tool;
  if (result.kind !== "json" || result.type === undefined) return [];
  const type = resolveType(result.type, definitions);
  const isList = type.kind === "array" || type.kind === "set";
  // Only lists that are found by a search are judged. A list that is derived from the request, as in `splitText`, has a
  // length that callers know.
  if (!isList || type.maxItems !== undefined || !listing.has(meaning(nameWords(name)[0] ?? ""))) return [];
  if (bounds(requestFields(tool), tool)) return [];
  return [
    {
      code: "TN607",
      at: position,
      message: `The result of tool \`${name}\` is a list without \`@maxItems\`, and its request has no cursor, offset or page: a long one fills what a model can read.`,
      fix: "take a `cursor` or a `limit`, or write `@maxItems` on the result's type",
    },
  ];
}

function bounds(fields: readonly FieldModel[], tool: ToolModel, depth = 0): boolean {
  return fields.some(({ key, type }) => {
    if (nameWords(key).some((word) => bounding.has(word))) return true;
    // A request with a list is not reported: the result has one item for each of its items.
    if (resolveType(type, tool.definitions).kind === "array") return true;
    const object = depth < 2 ? objectIn(type, tool) : undefined;
    return object !== undefined && bounds(object.fields, tool, depth + 1);
  });
}
