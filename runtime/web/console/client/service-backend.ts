import { asRecord } from "../base/json.ts";
import { calls, readJobs, type Backend } from "./backend.ts";
import type { Client } from "./client.ts";
import { readService } from "./definition.ts";
import { eventsAt } from "./events-at.ts";

/** Creates a backend that uses the routes of a service. */
export function serviceBackend(client: Client): Backend {
  const jobs: Backend["jobs"] = async (wanted) => {
    const { jobQuery, readJobPage } = await readJobs();
    const query = jobQuery(wanted);
    if (wanted.of !== "") query.set("tool", wanted.of);
    return readJobPage(await client.json(`/jobs?${query}`));
  };
  return {
    kind: "service",
    client,
    services: async () => [readService("", asRecord(await client.json("/service.json")))],
    start: async (call) => (await calls()).startAt(client, call.tool.path, call),
    events: (jobId, after, signal) => eventsAt(client, `/jobs/${jobId}/events`, after, signal),
    output: async (jobId) =>
      (await calls()).readAnswer(await client.send(`/jobs/${jobId}`, { headers: { prefer: "wait=10" } })),
    progress: (jobId) => client.json(`/jobs/${jobId}`),
    async cancel(jobId) {
      await client.json(`/jobs/${jobId}`, { method: "DELETE" });
    },
    async job(jobId) {
      const { readJobPage } = await readJobs();
      return readJobPage(await client.json(`/jobs?id=${jobId}`)).items[0];
    },
    jobs,
    callPath: (_, tool) => tool.path,
  };
}
