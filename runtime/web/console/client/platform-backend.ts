import { asText, recordIn, recordsIn } from "../base/json.ts";
import { calls, readJobs, type Backend } from "./backend.ts";
import type { Client } from "./client.ts";
import { readService, readTool, type ServiceInfo, type ToolInfo } from "./definition.ts";
import { eventsAt } from "./events-at.ts";
import { nextPage } from "./next-page.ts";

/** Creates a backend that uses the routes of a platform. */
export function platformBackend(client: Client): Backend {
  const callPath = ({ key, tools }: ServiceInfo, { name }: ToolInfo): string =>
    `/services2/${key}/jobs${tools.length > 1 ? `?tool=${encodeURIComponent(name)}` : ""}`;
  return {
    kind: "platform",
    client,
    async services() {
      const found: ServiceInfo[] = [];
      for (let page: string | undefined = "0"; page !== undefined;) {
        const answer: unknown = await client.json(`/services2?with-definition=true&limit=500&page=${page}`);
        found.push(...recordsIn(answer, "items").map(serviceOf));
        page = nextPage(answer);
      }
      return found;
    },
    start: async (call) => (await calls()).startAt(client, callPath(call.service, call.tool), call),
    events: (jobId, after, signal) => eventsAt(client, `/jobs/${jobId}/events`, after, signal),
    output: async (jobId) => (await calls()).readAnswer(await client.send(`/jobs/${jobId}/output`)),
    progress: (jobId) => client.json(`/jobs/${jobId}?with-result-content=false`),
    async cancel(jobId) {
      await client.json(`/jobs/${jobId}`, { method: "DELETE" });
    },
    async job(jobId) {
      const response = await client.send(`/jobs/${jobId}?with-result-content=false`);
      return response.ok ? (await readJobs()).readJob(await response.json()) : undefined;
    },
    async jobs(wanted) {
      const { jobQuery, readJobPage } = await readJobs();
      const path = wanted.of === "" ? "" : `/services2/${wanted.of}`;
      return readJobPage(await client.json(`${path}/jobs?${jobQuery(wanted)}`));
    },
    callPath,
  };
}

/** Makes a service with a single tool that accepts any request, for a service without a list of tools. */
function serviceOf(described: Readonly<Record<string, unknown>>): ServiceInfo {
  const { key, id, ...rest } = described;
  const service = { ...readService(asText(key) ?? "", recordIn(rest, "definition")), urn: asText(id) };
  if (service.tools.length > 0) return service;
  const description = "Register its service.json to get a form.";
  return { ...service, tools: [readTool({ name: service.name, description, "request-schema": {} })] };
}
