import { nearestName } from "../../runtime/contract/nearest-name.ts";
import { visibleLine } from "../../runtime/base/visible-text.ts";

/** The same words over both protocols. */
export function noSuchTool(tool: string, names: readonly string[]): string {
  const meant = nearestName(tool, names);
  const question = meant === undefined ? "" : ` Did you mean ${visibleLine(meant)}?`;
  const list = names.length === 0 ? "It has none." : `Its tools: ${names.map(visibleLine).join(", ")}`;
  return `The service has no tool ${JSON.stringify(tool)}.${question} ${list}`;
}
