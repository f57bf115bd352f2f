import type { SchemaDecoratorModel } from "../model/module.ts";
import type { Insertion } from "./insert-tools.ts";

/**
 * Converts each `@withSchema("…")` to a static block: most bundlers do not compile decorators, and Node does not
 * support them. The decorator itself becomes a comment, so that line numbers do not change.
 */
export function insertSchemaDecorators(
  source: string,
  decorators: readonly SchemaDecoratorModel[],
): readonly Insertion[] {
  return decorators.flatMap(({ start, end, body }) => {
    const expression = source.slice(start + 1, end);
    // If the arguments contain a comment, the decorator cannot become one; it is then left to a bundler that lowers
    // decorators.
    if (expression.includes("*/")) return [];
    return [
      { offset: start, text: "/*" },
      { offset: end, text: "*/" },
      { offset: body, text: `static{(${expression})(this)}` },
    ];
  });
}
