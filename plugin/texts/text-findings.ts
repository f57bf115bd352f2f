import { type TextCode, textCodes } from "../diagnostics/text-codes.ts";
import type { ToolModel } from "../model/tool.ts";
import { contradictsType } from "./contradicts-type.ts";
import { exampleMissing } from "./example-missing.ts";
import { hintMissing } from "./hint-missing.ts";
import { parameterUnclear } from "./parameter-unclear.ts";
import { resultUnbounded } from "./result-unbounded.ts";
import { saysNothing } from "./says-nothing.ts";
import type { TextFinding } from "./text-finding.ts";
import { tooLong } from "./too-long.ts";
import { type Compared, compared, tooNear } from "./too-near.ts";

/** The rules about one tool by their code. */
const ofTool: { readonly [code in TextCode]?: (tool: ToolModel) => readonly TextFinding[] } = {
  TN601: saysNothing,
  TN602: tooLong,
  TN604: contradictsType,
  TN605: parameterUnclear,
  TN606: hintMissing,
  TN607: resultUnbounded,
  TN608: exampleMissing,
};

/** Cache of findings by tool: in an editor, most tools are unchanged since the previous check. */
export type JudgedTools = WeakMap<ToolModel, { readonly found: readonly TextFinding[]; readonly compared: Compared }>;

/**
 * Findings about the texts of a service's tools, by which models choose tools and fill in requests. Prompts and
 * resources are chosen by people, so they are not judged.
 *
 * @param codes The rules to judge by, the same for all calls with one `known`
 */
export function textFindings(
  all: readonly ToolModel[],
  codes: ReadonlySet<string>,
  known: JudgedTools = new WeakMap(),
): readonly TextFinding[] {
  const judges = Object.entries(ofTool).flatMap(([code, judge]) => (codes.has(code) ? [judge] : []));
  const judged = all.flatMap((tool) => {
    if (tool.kind !== undefined) return [];
    const before = known.get(tool) ?? { found: judges.flatMap((judge) => judge(tool)), compared: compared(tool) };
    known.set(tool, before);
    return [before];
  });
  return [
    ...judged.flatMap(({ found }) => found),
    ...(codes.has("TN603") ? tooNear(judged.map((one) => one.compared)) : []),
  ];
}

/**
 * Returns the codes of the enabled rules: those that the settings name; or if `isComplete`, all that are not turned
 * off.
 */
export function askedCodes(rules: Readonly<Record<string, string>>, isComplete: boolean): ReadonlySet<string> {
  return new Set(
    Object.entries(textCodes).flatMap(([code, { rule }]) => {
      if (rule === undefined) return [];
      const level = rules[rule];
      return level === "off" || (level === undefined && !isComplete) ? [] : [code];
    }),
  );
}
