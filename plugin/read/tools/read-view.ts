import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { ToolModel } from "../../model/tool.ts";
import { tagPlace } from "../comments/doc-text.ts";
import { report, type Place, type Reading } from "../base/reading.ts";
import type { ToolCandidate } from "./find-tools.ts";

/** Matches the extensions of a view's file. */
const endings = /\.(?:html|[cm]?[jt]s|[jt]sx)$/;

/**
 * Reads `@view FILE` and `@view auto`. The path is relative to the module; an invalid or missing file, and a view of a
 * prompt or a resource, is a diagnostic.
 */
export function readView(reading: Reading, candidate: ToolCandidate, place: Place): ToolModel["view"] {
  const tag = candidate.doc?.tags.find(({ name }) => name === "view");
  if (tag === undefined) return undefined;
  const { text } = tag;
  const at = tagPlace(tag, place);
  const problem = (reason: string, fix: string): undefined => {
    const message = `\`@view${text === "" ? "" : ` ${text.split("\n")[0]}`}\` is not valid: ${reason}.`;
    report(reading, { code: "TN108", place: at, message, fix });
  };
  if (candidate.kind !== "tool") {
    const message = `\`@view\` has no meaning on a ${candidate.kind}: hosts show views beside results of tools.`;
    report(reading, { code: "TN119", place: at, message, fix: "put it on a tool, or remove it" });
    return undefined;
  }
  if (text === "auto") return { file: "auto" };
  const example = "write `@view ./primes.view.tsx`, or `@view auto` for a view made from the result's type";
  if (text === "" || /[\s?#"\\]/.test(text)) return problem("it takes the path of one file, or `auto`", example);
  if (!endings.test(text)) return problem("a view is an HTML, JavaScript or TypeScript file", example);
  if (!existsSync(resolve(dirname(reading.file.fileName), text)))
    return problem("there is no such file", "paths are relative to this module; create the file, or correct the path");
  return { file: /^\.{0,2}\//.test(text) ? text : `./${text}` };
}
