import { relative } from "node:path";
import { compileServiceFile } from "../build/compile-entry.ts";
import { formatOption, reporting, type Worked } from "../build/machine-report.ts";
import { fixSources, type WrittenFix } from "../project/fix-sources.ts";
import { paint, printJson, say } from "../base/output.ts";
import { generatedSkill } from "../project/generated-skill.ts";
import { findProject } from "../project/project.ts";
import { type Arguments, type CommandHelp, withArguments } from "../base/usage.ts";
import { readPresent } from "../base/read-present.ts";
import { writeProjectFile } from "../base/write-result.ts";

export const help: CommandHelp = {
  usage: "tenon generate [entry] [options]",
  summary: "Writes the service definition (service.json) that is committed with the code.",
  options: {
    skill: {
      type: "boolean",
      help: "also write a skill for agents from the comments of the tools; from then on it is kept true",
    },
    fix: { type: "boolean", help: "first write the fixes that leave nothing to choose into the sources" },
    verbose: { type: "boolean", help: "tell each warning of a file in a place of its own" },
    format: formatOption,
    json: { type: "boolean", help: "print what was written as JSON; errors, too" },
  },
};

export function run(words: readonly string[]): Promise<number> {
  return withArguments(words, help, 1, carryOut);
}

function carryOut(given: Arguments): Promise<number> {
  return reporting(given, () => generate(given));
}

async function generate(given: Arguments): Promise<Worked> {
  const fixes = given.flag("fix") ? await fixSources(findProject(given.positionals[0])) : undefined;
  if (fixes !== undefined && !given.flag("json")) tellFixes(fixes);
  const compiled = await compileServiceFile(given.positionals[0], { verbose: given.flag("verbose") });
  const { file, text, definition } = compiled;
  const skill = generatedSkill(compiled, given.flag("skill"));
  const changed = readPresent(file) !== text;
  if (changed) writeProjectFile(file, text);
  const skillChanged = skill !== undefined && skill.committed !== skill.text;
  if (skillChanged) writeProjectFile(skill.file, skill.text);
  if (given.flag("json"))
    printJson({
      file,
      changed,
      tools: definition.tools.map(({ name }) => name),
      ...(skill && { skill: { file: skill.file, changed: skillChanged } }),
      ...(fixes && { fixes }),
    });
  else {
    tell(file, changed);
    if (skill !== undefined) tell(skill.file, skillChanged);
  }
  return { status: 0 };
}

function tell(file: string, changed: boolean): void {
  const shown = relative(process.cwd(), file);
  say(changed ? `${paint("green", "wrote")} ${shown}` : `${shown} is up to date`);
}

function tellFixes(fixes: readonly WrittenFix[]): void {
  for (const { file, line, text } of fixes) say(`${paint("green", "fixed")} ${file}:${line}  ${text}`);
  if (fixes.length === 0) say("There is nothing to fix.");
}
