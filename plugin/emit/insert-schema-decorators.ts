import type { SchemaDecoratorModel } from "../model/schema-decorator.ts";
import type { Insertion } from "./insert-tools.ts";

/**
 * Makes a static block of each `@withSchema("…")`: most bundlers leave decorators as they are, and no Node runs them.
 * What stood there becomes a comment, so that no line moves and the import stays used.
 */
export function insertSchemaDecorators(
  source: string,
  decorators: readonly SchemaDecoratorModel[],
): readonly Insertion[] {
  return decorators.flatMap(({ start, end, body }) => {
    const expression = source.slice(start + 1, end);
    // A comment in the arguments cannot stand in another one; a bundler that lowers decorators takes it as it is.
    if (expression.includes("*/")) return [];
    return [
      { offset: start, text: "/*" },
      { offset: end, text: "*/" },
      { offset: body, text: `static{(${expression})(this)}` },
    ];
  });
}
