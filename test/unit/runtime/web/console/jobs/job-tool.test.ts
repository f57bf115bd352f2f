import { expect, test } from "vitest";
import { readService, type ServiceInfo } from "../../../../../../runtime/web/console/client/definition.ts";
import { readJob } from "../../../../../../runtime/web/console/client/read-jobs.ts";
import { toolOfJob } from "../../../../../../runtime/web/console/jobs/job-tool.ts";

const service = (key: string, ...tools: readonly object[]): ServiceInfo => ({
  ...readService(key, { name: key, tools }),
  urn: `urn:platform:service:${key}`,
});
const services = [
  service("one", { name: "run", waits: [{ name: "approval" }] }),
  service("other", { name: "run" }),
  service("several", { name: "pay", waits: [{ name: "approval" }] }, { name: "several" }),
];

function found(job: object): readonly string[] {
  const entry = toolOfJob(services, readJob(job));
  return entry === undefined ? [] : [entry.service.key, entry.tool.name];
}

test("a job of a platform has the tool of its own service, though others have tools of its name", () => {
  const job = { tool: "run", "service-name": "other", service: "urn:platform:service:other" };
  expect(found(job)).toEqual(["other", "run"]);
});

test("of a service with several tools, it is known only while the job waits for a message", () => {
  const job = { "service-name": "several", service: "urn:platform:service:several" };
  expect(found(job)).toEqual([]);
  expect(found({ ...job, "waits-for": { message: "approval" } })).toEqual(["several", "pay"]);
});

test("a service lists its own tools", () => {
  const [entry] = [toolOfJob([readService("", { tools: [{ name: "run" }] })], readJob({ tool: "run" }))];
  expect(entry?.tool.name).toBe("run");
});
