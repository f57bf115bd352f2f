import { afterAll, beforeAll, expect, test } from "vitest";
import { type PackedProject, packedProject } from "../support/packed-project.ts";

/** A project that uses each public name of the interface in the way that its documentation shows. */
const files = {
  "tsconfig.json": JSON.stringify({
    compilerOptions: { target: "es2023", module: "nodenext", types: ["node"], strict: true, noEmit: true },
  }),
  "src/about.ts": `import { ServiceContact, ServiceLicense } from "tenon";

export const contact = new ServiceContact({ name: "Ann", email: "ann@example.org", url: "https://example.org" });
export const license = new ServiceLicense({ name: "MIT" });
`,
  "src/service.ts": `import { Service, loggingInit, startLambdaServer } from "tenon";
import { contact, license } from "./about.js";
import "./tools.js";

loggingInit();
await startLambdaServer(new Service({ name: "Every name", contact, license }));
`,
  "src/inline.ts": `import { DEFAULT_LLM_MODEL, Service, ServiceContact, ServiceLicense, getJobId, registerMcp, runMcpStdio } from "tenon";
import "./tools.js";

const service = new Service({
  name: "Inline",
  contact: new ServiceContact({ name: "Ann", email: "ann@example.org" }),
  license: new ServiceLicense({ name: "MIT", url: "https://example.org/mit" }),
});
if (process.argv[2] === "stdio") await runMcpStdio(service);
else {
  const routes: string[] = [];
  const app = { all: (path: string) => void routes.push(path) };
  registerMcp(app as never, service);
  console.log(JSON.stringify({ routes, outside: getJobId() ?? null, model: DEFAULT_LLM_MODEL, contact: service.contact }));
  process.exit(0);
}
`,
  "src/tools.ts": `import { BaseEvent, GenericErrorEvent, GenericEvent, ValueError } from "tenon";
import { getEventReporter, getJobId, getLogger, platformLambda, withSchema } from "tenon";
import type { EventContext, EventReporter, ExecutorOpts, JobContext, ToolOptions } from "tenon";

const log = getLogger("tools");

class Weighed extends BaseEvent {
  static override readonly SCHEMA = "urn:example:event.weighed.1";
  constructor(readonly grams: number) {
    super();
  }
}

/** The thing on the scales. */
@withSchema("urn:example:schema.weigh.request.1")
export class WeighRequest {
  /** Its name. */
  name = "";
}

const executorOpts: ExecutorOpts = { maxWorkers: 2, queueSize: 10, jobCacheSize: 10, jobCacheTtl: 60 };
const options: ToolOptions = { path: "/weigh", tags: ["kitchen"], maxWaitTime: 5, refreshInterval: 1, executorOpts };

function put(step: EventContext, grams: number): void {
  step.info({ grams });
  step.info(new Weighed(grams));
  step.finished({ message: "done" });
}

/** Weighs something. */
export const weigh = platformLambda((request: WeighRequest, job: JobContext): string => {
  if (request.name === "air") throw new ValueError("Air is not weighed here.");
  const report: EventReporter = job.report;
  report.step("weigh", { message: request.name }, (step) => put(step, 5));
  report.stepStarted("write");
  report.emit(new GenericEvent("ink", { colour: "blue" }));
  report.emit(new GenericErrorEvent("blot", "write"));
  report.stepFinished("write");
  log.info({ name: request.name }, "weighed");
  return String(getJobId() === job.jobId && getEventReporter() === report && job.jobAuthorization === undefined);
}, options);
`,
};

let user: PackedProject;
beforeAll(() => {
  user = packedProject(files, { typescript: "typescript" });
});
afterAll(() => user.dispose());

test("each public name compiles, is built by the plugin and does its work", () => {
  expect(user.node(["node_modules/typescript/bin/tsc"])).toMatchObject({ status: 0, stdout: "" });
  const built = user.tenon("build");
  expect([built.status, built.stderr]).toEqual([0, expect.not.stringMatching(/TN\d{3}/)]);
  expect(JSON.parse(user.read("service.json"))).toMatchObject({
    name: "Every name",
    contact: { name: "Ann", email: "ann@example.org", url: "https://example.org" },
    license: { name: "MIT" },
    tools: [{ name: "weigh", path: "/weigh" }],
  });
  user.write({ "request.json": '{ "name": "salt" }', "air.json": '{ "name": "air" }' });
  expect(user.node(["dist/service.mjs", "--test-file", "request.json"])).toMatchObject({
    status: 0,
    stdout: '"true"\n',
  });
  const refused = user.node(["dist/service.mjs", "--test-file", "air.json"]);
  expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining("Air is not weighed here.") });
});

test("contact and license may be made within the service, which other hosts serve", () => {
  const built = user.tenon("build", "src/inline.ts");
  expect([built.status, built.stderr]).toEqual([0, expect.not.stringMatching(/TN\d{3}/)]);
  expect(JSON.parse(user.read("service.inline.json"))).toMatchObject({
    contact: { name: "Ann", email: "ann@example.org" },
    license: { name: "MIT", url: "https://example.org/mit" },
  });
  // Standard output is for MCP there.
  const { status, stdout, stderr } = user.node(["dist/inline.mjs"]);
  expect([status, stdout, JSON.parse(stderr)]).toEqual([
    0,
    "",
    {
      routes: ["/mcp"],
      outside: null,
      model: "platform-default",
      contact: { name: "Ann", email: "ann@example.org" },
    },
  ]);
  const asked = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "weigh", arguments: { name: "salt" } } };
  const start = {
    jsonrpc: "2.0",
    id: 0,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } },
  };
  const input = [start, { jsonrpc: "2.0", method: "notifications/initialized" }, asked]
    .map((message) => `${JSON.stringify(message)}\n`)
    .join("");
  expect(user.node(["dist/inline.mjs", "stdio"], { input }).stdout).toContain('"text":"true"');
});
