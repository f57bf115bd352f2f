import { fetchService, needsToken, readText } from "../../base/fetch-service.ts";
import { isItemList, nextPage } from "../../base/item-list.ts";
import { otherForm } from "../../base/read-answer.ts";
import { CommandError } from "../../base/usage.ts";
import type { JsonSchema } from "../../../runtime/contract/contract.ts";
import type { ServiceDefinition, ServiceDefinitionTool } from "../../../runtime/contract/service-definition.ts";
import { reportProblems } from "../../../runtime/contract/validation/report/report.ts";
import type { Finding } from "../finding.ts";

/** Maximum number of jobs of a tool that are checked, so that a check ends. */
const mostJobs = 1000;
const largest = 2 ** 25;
const patience = 30_000;

/**
 * Requests the unfinished jobs of durable tools from a running service, and reports which of their stored results this
 * build cannot read. With authentication, these are the jobs of the caller whose token is used.
 */
export async function checkKeptResults(address: string, { tools }: ServiceDefinition): Promise<readonly Finding[]> {
  const base = address.replace(/\/+$/, "").replace(/\/[^/]*\.json$/, "");
  const findings: Finding[] = [];
  for (const tool of tools) if (tool.durable === true) findings.push(...(await checkTool(base, tool)));
  return findings;
}

async function checkTool(
  base: string,
  { name: tool, steps = [], waits = [] }: ServiceDefinitionTool,
): Promise<Finding[]> {
  const schemas = new Map<string, JsonSchema | undefined>([
    ...steps.map((step) => [step.name, step["result-schema"]] as const),
    ...waits.map((wait) => [`~wait:${wait.name}`, wait["message-schema"]] as const),
  ]);
  // A result without a value is written as null. The definition does not say which messages may have none.
  const mayBeEmpty = new Set([
    ...steps.filter(({ fingerprint }) => fingerprint.endsWith("?")).map(({ name }) => name),
    ...waits.map(({ name }) => `~wait:${name}`),
  ]);
  const refused = new Map<string, { jobs: number; readonly problem: string }>();
  let isWhole = true;
  for (const status of ["pending", "executing"]) {
    const ids = await jobsOf(base, tool, status);
    isWhole &&= ids.length < mostJobs;
    for (const id of ids) {
      const history = (await ask(`${base}/jobs/${encodeURIComponent(id)}/history`)) as
        | { readonly kept?: object }
        | undefined;
      const wrong = new Map<string, string>();
      for (const [key, value] of Object.entries(history?.kept ?? {})) {
        const name = key.replace(/\[.*$/s, "");
        const schema = schemas.get(name);
        const isEmpty = value === null && mayBeEmpty.has(name);
        const [problem] = schema === undefined || isEmpty ? [] : reportProblems(schema, value);
        if (problem !== undefined) wrong.set(name, `${problem.path || "/"}: expected ${problem.expected}`);
      }
      for (const [name, problem] of wrong) {
        const known = refused.get(name) ?? { jobs: 0, problem };
        known.jobs += 1;
        refused.set(name, known);
      }
    }
  }
  return [...refused].map(([name, { jobs, problem }]) => ({
    severity: "breaking",
    tool,
    place: name.startsWith("~wait:") ? `message ${name.slice("~wait:".length)}` : `step ${name}`,
    rule: "kept-result",
    message:
      `The result that ${jobs === 1 ? "1 job" : `${jobs} jobs`} on their way have kept is refused by this build: ${problem}.` +
      (isWhole ? "" : ` Only the latest ${mostJobs} jobs were looked at.`),
    fix: "Give the step another name, let its type take the old results, or wait until these jobs have ended.",
  }));
}

async function jobsOf(base: string, tool: string, status: string): Promise<readonly string[]> {
  const ids: string[] = [];
  const query = new URLSearchParams({ limit: "500", tool, status });
  for (let more = true; more;) {
    const url = `${base}/jobs?${query}`;
    const page = (await ask(url)) ?? { items: [] };
    if (!isItemList(page)) throw otherForm(url, "service");
    ids.push(...page.items.map(({ id }) => String(id)));
    const next = nextPage(page);
    if (next !== undefined) query.set("page", next);
    more = next !== undefined && ids.length < mostJobs;
  }
  return ids.slice(0, mostJobs);
}

/** The body of an answer; undefined if the route does not exist, as in a service that has no durable tool yet. */
async function ask(url: string): Promise<unknown> {
  let response: Response;
  try {
    response = await fetchService(url, { signal: AbortSignal.timeout(patience) });
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`${url} cannot be reached: ${(error as Error).message}.`);
  }
  if (response.status === 404) return undefined;
  if (response.status === 401) throw new CommandError(`${url}: ${needsToken}`);
  if (!response.ok) throw new CommandError(`${url} answered ${response.status}.`);
  try {
    return JSON.parse(await readText(response, largest)) as unknown;
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`${url} did not answer with JSON. Is this a tenon service?`);
  }
}
