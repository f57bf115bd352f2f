import { ts } from "ts-morph";
import type { ModuleModel } from "../model/module.ts";
import type { ToolModel } from "../model/tool.ts";
import { findTools, type ToolCandidate } from "./tools/find-tools.ts";
import { checkKeptCalls } from "./rules/kept-calls.ts";
import { findJobCalls } from "./tools/find-job-calls.ts";
import { keptBy } from "./tools/kept-by.ts";
import { readAsks } from "./tools/read-asks.ts";
import { readKept } from "./tools/read-kept.ts";
import { readSchemaDecorators } from "./tools/read-schema-decorators.ts";
import { readService } from "./tools/read-service.ts";
import { readTool } from "./tools/read-tool.ts";
import { EndlessTypes, placeOf, report, TypeTooLarge, type Reading } from "./base/reading.ts";
import { relativeFile } from "./base/relative-file.ts";
import { shortPath } from "./base/slow-reading.ts";
import { checkEarlyLoggers } from "./rules/early-logger.ts";

/** Reads the model of one module; findings go to the reading. */
export function readModule(reading: Reading): ModuleModel {
  const file = relativeFile(reading.root, reading.file.fileName);
  if (reportSyntax(reading)) return { file, tools: [] };
  const jobCalls = findJobCalls(reading);
  const keeping = readKept(reading, jobCalls);
  const tools: ToolModel[] = [];
  for (const candidate of findTools(reading)) {
    const tool = readInBounds(reading, candidate);
    if (tool === undefined) continue;
    if (tools.some((other) => other.name === tool.name && other.kind === tool.kind)) {
      report(reading, {
        code: "TN112",
        place: placeOf(candidate.nameNode),
        message: `There are two ${tool.kind ?? "tool"}s called \`${tool.name}\`.`,
        fix: "give one of them another name with `@name`",
      });
      continue;
    }
    const kept = keptBy(reading, candidate, keeping);
    tools.push({ ...tool, ...kept });
  }
  checkEarlyLoggers(reading);
  checkKeptCalls(reading, keeping.calls);
  const asks = readAsks(reading, jobCalls);
  const schemaDecorators = readSchemaDecorators(reading);
  return {
    file,
    tools,
    ...(asks.length === 0 ? {} : { asks }),
    ...(keeping.kept === undefined ? {} : { kept: keeping.kept }),
    ...(schemaDecorators.length === 0 ? {} : { schemaDecorators }),
    ...readService(reading),
  };
}

/** Reports syntax errors as diagnostics; returns true when there are any. */
function reportSyntax(reading: Reading): boolean {
  const problems = reading.program.getSyntacticDiagnostics(reading.file);
  for (const problem of problems) {
    const message = ts.flattenDiagnosticMessageText(problem.messageText, " ");
    report(reading, {
      code: "TN101",
      place: { file: reading.file, start: problem.start, end: problem.start + problem.length },
      message: `Syntax error: ${message}`,
      ...(endsInSchedule(reading.file.text, problem.start) && {
        fix: "write `*\\/5`, or `0-59/5`: `*/` has ended the comment",
      }),
    });
  }
  return problems.length > 0;
}

/** True for a position after a cron expression whose `*` and `/` have ended the comment. */
function endsInSchedule(text: string, place: number): boolean {
  return /@schedule[ \t]+"[^"\n]*\*\/[^"\n]*$/.test(text.slice(Math.max(0, place - 200), place));
}

/** Reads a tool. Types that are too large, or nested deeper than the stack, become a finding. */
function readInBounds(reading: Reading, candidate: ToolCandidate): ToolModel | undefined {
  try {
    reading.tool = candidate.name;
    return readTool(reading, candidate);
  } catch (error) {
    if (error instanceof EndlessTypes) return undefined;
    const isLarge = error instanceof TypeTooLarge;
    if (!isLarge && !(error instanceof RangeError)) throw error;
    report(reading, {
      code: "TN321",
      place: placeOf(candidate.nameNode),
      message: isLarge
        ? `The types of \`${candidate.name}\` have more than 500,000 parts. Reading ended at \`${shortPath(error.path)}\`.`
        : `The types of \`${candidate.name}\` nest so deep that the stack overflowed.`,
      fix: "take a type of your own with the fields that callers send, or `Pick` them from this one",
    });
    return undefined;
  }
}
