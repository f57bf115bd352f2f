import { resolve } from "node:path";
import { codes } from "../../diagnostics/codes.ts";
import type { Diagnostic, Edit } from "../../diagnostics/diagnostic.ts";
import type { Position } from "../../model/type.ts";
import { lastTag } from "../../diagnostics/last-tag.ts";
import { overBudget } from "../../texts/over-budget.ts";
import { askedCodes, type JudgedTools, textFindings } from "../../texts/text-findings.ts";
import type { TextFinding } from "../../texts/text-finding.ts";
import type { CompiledModule } from "../compiled-module.ts";
import type { TenonOptions } from "../options.ts";
import { sortDiagnostics } from "./link.ts";
import { type Outcome, withFindings } from "./outcome.ts";

/** The modules whose texts are judged. */
export interface Texts {
  readonly modules: readonly CompiledModule[];
  readonly options: Pick<TenonOptions, "rules" | "budget">;
  /** True: judges by all rules that are not off; default: by the rules that `rules` names. */
  readonly isComplete?: boolean;
  /** Absolute folder of the project. */
  readonly root: string;
  /** Tools that were judged earlier by the same rules. */
  readonly known?: JudgedTools;
  /** Text of a file by its absolute path. */
  readonly textOf: (file: string) => string | undefined;
}

/** Adds findings about the texts of a build's tools to its outcome. Modules with errors are not judged. */
export function withTexts<T extends Outcome>(outcome: T, texts: Texts): T {
  const found = textDiagnostics(texts);
  if (found.length === 0) return outcome;
  const places = new Set(found.flatMap((one) => (one.code === "TN605" ? placeOf(one) : [])));
  // Removes repetitions: a parameter that is unclear because it has no text is reported once.
  const others = outcome.diagnostics.filter((one) => one.code !== "TN203" || !places.has(placeOf(one)));
  const errors = found.filter(({ level }) => level === "error");
  const rest = found.filter(({ level }) => level !== "error");
  return withFindings({ ...outcome, diagnostics: sortDiagnostics([...others, ...rest]) }, errors);
}

/** Findings about the texts of modules, with the source lines for their frames. */
export function textDiagnostics({
  modules,
  options,
  isComplete = false,
  root,
  known,
  textOf,
}: Texts): readonly Diagnostic[] {
  const { rules = {}, budget = {} } = options;
  const asked = askedCodes(rules, isComplete);
  const hasBudget = budget.tool !== undefined || budget.service !== undefined;
  if (asked.size === 0 && !hasBudget) return [];
  const sound = modules.filter(({ diagnostics }) => diagnostics.every(({ level }) => level !== "error"));
  const tools = sound.flatMap((module) => module.tools);
  const files = new Map<string, string | undefined>();
  const read = (file: string): string => {
    if (!files.has(file)) files.set(file, textOf(resolve(root, file)));
    return files.get(file) ?? "";
  };
  const service = modules.find(({ model }) => model.service !== undefined)?.model.service?.position;
  const models = tools.map(({ model }) => model);
  return [...textFindings(models, asked, known), ...(hasBudget ? overBudget(tools, budget, service) : [])].map((one) =>
    asDiagnostic(one, rules, read(one.at.file)),
  );
}

function asDiagnostic(
  { code, at, message, fix, related, tag }: TextFinding,
  rules: NonNullable<TenonOptions["rules"]>,
  text: string,
): Diagnostic {
  const { level, rule = "" } = codes[code];
  const asked = rules[rule];
  const lineText = text.split(/\r\n|[\r\n\u2028\u2029]/)[at.line - 1];
  const edit = tag === undefined ? undefined : tagEdit(text, at, tag);
  return {
    code,
    level: asked === "error" ? "error" : asked === "warn" ? "warning" : level,
    message,
    fix,
    ...at,
    ...(lineText !== undefined && { lineText: lineText.replace(/^\uFEFF/, " ") }),
    ...(edit && { edit }),
    ...(related && { related }),
  };
}

/**
 * Adds a tag to the comment above a line; undefined if no comment ends there. The edit is a suggestion, since only a
 * person knows whether the tag is true.
 */
function tagEdit(text: string, { line }: Position, tag: string): Edit | undefined {
  const above = text
    .split(/(?<=\n)/)
    .slice(0, line - 1)
    .join("")
    .trimEnd();
  const start = above.lastIndexOf("/**");
  if (!above.endsWith("*/") || start < 0) return undefined;
  return { ...lastTag({ start, end: above.length }, { text }, tag), choice: true };
}

function placeOf({ file, line, column }: Diagnostic): string {
  return `${file}:${line}:${column}`;
}
