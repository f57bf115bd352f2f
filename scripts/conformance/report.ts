import { outside, type ClientScenario } from "./client-suite.ts";
import { revisions, type Scenario, type SuiteRun } from "./run-suite.ts";

/** Scenarios of one kind, counted. A scenario without failures passes. */
interface Score {
  readonly passed: number;
  readonly all: number;
}

/** The scores of a run, without scenarios that the suite itself skips. */
export interface Scores {
  readonly scored: Score;
  readonly tasks: Score;
  readonly skills: Score;
  /** Unscored scenarios beside those of extensions. */
  readonly others: Score;
}

export function scoresOf({ scenarios }: SuiteRun): Scores {
  const measured = scenarios.filter(isMeasured);
  const unscored = measured.filter((scenario) => scenario.unscored !== undefined);
  const begins = (prefix: string): readonly Scenario[] => unscored.filter(({ name }) => name.startsWith(prefix));
  const [tasks, skills] = [begins("tasks-"), begins("sep-2640-skills-")];
  return {
    scored: score(measured.filter((scenario) => scenario.unscored === undefined)),
    tasks: score(tasks),
    skills: score(skills),
    others: score(unscored.filter((scenario) => ![...tasks, ...skills].includes(scenario))),
  };
}

/** The one line that ends a run. */
export function lastLine(newest: Scores, oldest: Scores): string {
  const { scored, tasks, skills } = newest;
  return `2026-07-28: ${text(scored)} scored, ${text(tasks)} tasks, ${text(skills)} skills · 2025-11-25: ${text(oldest.scored)}`;
}

/** The table in README. */
export function scoreTable(runs: readonly SuiteRun[]): string {
  const rows = runs.map((run) => {
    const { scored, tasks, skills, others } = scoresOf(run);
    const extensions = [tasks, skills].map((extension) => (extension.all === 0 ? "–" : text(extension)));
    return `| ${[run.revision, text(scored), text(others), ...extensions].join(" | ")} |`;
  });
  const head = ["Revision", "scored scenarios", "headers and schemas", "Tasks extension", "Skills extension"];
  return [`| ${head.join(" | ")} |`, "|---|---|---|---|---|", ...rows].join("\n");
}

/** Every scenario of every run, for the page. */
export function scenarioTables(runs: readonly SuiteRun[]): string {
  return runs
    .map(({ revision, scenarios }) => {
      const rows = scenarios.map((scenario) => {
        const { name, passed, failures, warnings, unscored } = scenario;
        const good = `passes, ${passed} checks${warnings.length === 0 ? "" : `, ${warnings.length} warnings`}`;
        const result = !isMeasured(scenario) ? "skipped by the suite" : failures.length === 0 ? good : "fails";
        return `| \`${name}\` | ${result} | ${unscored ?? "scored"} |`;
      });
      return [`## ${revision}`, "", "| Scenario | Result | |", "|---|---|---|", ...rows].join("\n");
    })
    .join("\n\n");
}

/** Every scenario of the client, and those that are not its own. */
export function clientTable(scenarios: readonly ClientScenario[]): string {
  const names = [...new Set(scenarios.map(({ name }) => name))];
  const rows = names.map((name) => {
    const cells = revisions.map((revision) => {
      const found = scenarios.find((one) => one.name === name && one.revision === revision);
      return found === undefined ? "–" : found.problems.length === 0 ? `passes, ${found.passed} checks` : "fails";
    });
    return `| \`${name}\` | ${cells.join(" | ")} |`;
  });
  const others = outside.map(({ text, reason }) => `- ${text}: ${reason}`);
  const head = `| Scenario | ${revisions.join(" | ")} |`;
  return [head, "|---|---|---|", ...rows, "", "Not measured:", "", ...others].join("\n");
}

/** A scenario without checks is not counted. */
function isMeasured({ passed, failures, warnings }: Scenario): boolean {
  return passed + failures.length + warnings.length > 0;
}

function score(scenarios: readonly Scenario[]): Score {
  return { passed: scenarios.filter(({ failures }) => failures.length === 0).length, all: scenarios.length };
}

function text({ passed, all }: Score): string {
  return `${passed}/${all}`;
}
