import type { SourceMap, SourceMapSegment } from "magic-string";
import type { Insertion } from "../emit/insert-tools.ts";

/**
 * Source of generated code in maps, which tenon, debuggers and coverage reports take for a package's. Bundlers drop
 * positions without a source, and those that no map has count as the author's line before them.
 */
const generated = { name: "node_modules/tenon/generated.js", content: "// tenon generates this code at build time.\n" };

/**
 * Makes the source map of a module to which text was added. `magic-string` is loaded here, only for builds with source
 * maps.
 *
 * @param insertions Ordered by offset
 */
export async function mapInsertions(
  code: string,
  source: string,
  insertions: readonly Insertion[],
): Promise<SourceMap> {
  const magic = await import("magic-string");
  const text = new magic.MagicString(code);
  for (const { offset, text: added } of insertions) text.appendLeft(offset, added);
  const map = text.generateDecodedMap({ source, hires: "boundary", includeContent: true });
  let [line, column, from] = [0, 0, 0];
  const mark = (): void => insertSegment((map.mappings[line] ??= []), [column, 1, 0, 0]);
  const pass = (passed: string, atLine = (): void => {}): void => {
    const [first = "", ...more] = passed.split("\n");
    column += first.length;
    for (const { length } of more) {
      [line, column] = [line + 1, 0];
      atLine();
      column = length;
    }
  };
  for (const { offset, text: added } of insertions) {
    pass(code.slice(from, offset));
    mark();
    pass(added, mark);
    from = offset;
  }
  const folder = source.replace(/[^\\/]*$/, "");
  return new magic.SourceMap({
    ...map,
    sources: [...map.sources, `${folder}${generated.name}`],
    sourcesContent: [...(map.sourcesContent ?? []), generated.content],
  });
}

function insertSegment(segments: SourceMapSegment[], segment: SourceMapSegment): void {
  const next = segments.findIndex(([column]) => column >= segment[0]);
  segments.splice(next === -1 ? segments.length : next, 0, segment);
}
