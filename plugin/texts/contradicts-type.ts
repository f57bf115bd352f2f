import { resolveType } from "../emit/facts/type-facts.ts";
import type { ToolModel } from "../model/tool.ts";
import type { FieldModel } from "../model/type.ts";
import { bounds } from "./contradictions/bounds.ts";
import { choice } from "./contradictions/choice.ts";
import type { Claimed, Contradiction } from "./contradictions/claims.ts";
import { defaultValue } from "./contradictions/default-value.ts";
import { listing } from "./contradictions/listing.ts";
import { presence } from "./contradictions/presence.ts";
import { objectIn, requestFields, type TextFinding } from "./text-finding.ts";

const judges: readonly ((claimed: Claimed) => Contradiction | undefined)[] = [
  presence,
  listing,
  bounds,
  choice,
  defaultValue,
];

/** TN604: a field whose text contradicts its type. Each field has at most one finding. */
export function contradictsType(tool: ToolModel): readonly TextFinding[] {
  const found: TextFinding[] = [];
  const seen = new Set<FieldModel>();
  const visit = (fields: readonly FieldModel[], path: string): void => {
    const names = new Set([tool.name, ...fields.map(({ key }) => key)]);
    for (const field of fields) {
      if (seen.has(field)) continue;
      seen.add(field);
      const name = `${path}${field.key}`;
      const type = resolveType(field.type, tool.definitions);
      const claimed = { field, type, text: field.description ?? "", names };
      const [wrong] = claimed.text === "" ? [] : judges.flatMap((judge) => judge(claimed) ?? []);
      if (wrong !== undefined) {
        found.push({
          code: "TN604",
          at: field.at ?? tool.position,
          message: `The text of \`${name}\` of tool \`${tool.name}\` says ${wrong.said}, and its type says ${wrong.is}.`,
          fix: "make both say the same: callers are refused by the type, and read the text",
        });
      }
      const items = type.kind === "array" ? type.items : type;
      const inner = objectIn(items, tool);
      if (inner !== undefined) visit(inner.fields, `${name}.`);
    }
  };
  visit(requestFields(tool), "");
  return found;
}
