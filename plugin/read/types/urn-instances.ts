import { modelKey } from "../../model/model-key.ts";
import { report } from "../base/reading.ts";
import type { TypeContext } from "../base/type-context.ts";
import { typeText } from "./unsupported.ts";

/**
 * Reports instances of a generic type that are different models with the URN of its declaration. Call it when the
 * definitions of a tool are complete.
 */
export function checkInstances(context: TypeContext): void {
  const { reading, definitions } = context;
  for (const [type, names] of context.named) {
    for (const { symbol, tags, name } of names) {
      const model = definitions.get(name);
      if (model?.kind !== "object" || model.urn === undefined) continue;
      const marked = reading.urns.get(model.urn);
      if (marked === undefined || marked.symbol !== symbol) continue;
      const { place, first = { type, tags, name, text: typeText(context, type), definitions } } = marked;
      marked.first = first;
      if (first.type === type && first.tags === tags) continue;
      if (modelKey(name, definitions) === modelKey(first.name, first.definitions)) continue;
      const text = typeText(context, type);
      // Tags of type arguments show only in the names of the models.
      const [own, other] = text === first.text ? [name, first.name] : [text, first.text];
      report(reading, {
        code: "TN208",
        place,
        message: `\`${own}\` has the schema URN of \`${other}\`.`,
        item: `\`${own}\``,
        fix: `give it one of its own where it is used: \`WithSchema<"urn:…", ${symbol.name}<…>>\``,
      });
    }
  }
}
