import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type PackedProject, packedProject } from "../support/packed-project.ts";

const files = {
  Dockerfile: 'FROM node:24\nENTRYPOINT ["node", "dist/service.mjs"]\n',
  "resources.json": '{ "limits": { "cpu": "250m", "memory": "2Gi" } }',
  "src/about.ts": `import { ServiceContact, ServiceLicense } from "tenon";
export const contact = new ServiceContact({ name: "Ann", email: "ann@example.org" });
export const license = new ServiceLicense({ name: "MIT" });
`,
  "src/tools.ts": `import { platformLambda } from "tenon";

/**
 * Adds two numbers.
 * @tool
 * @param a The first.
 * @param b The second.
 */
export function add(a: number, b: number): number {
  return a + b;
}

/**
 * Multiplies two numbers.
 * @param a The first.
 * @param b The second.
 */
export const multiply = platformLambda((a: number, b: number): number => a * b, { path: "/product", tags: ["math"] });

/** Explains the service. @prompt */
export function explain(): string {
  return "Explain it.";
}
`,
  "src/service.ts": `import { Service, startLambdaServer } from "tenon";
import { contact, license } from "./about.js";
import "./tools.js";

const options = { name: "Sums", contact, license, onStart() {} };
await startLambdaServer(new Service(options), { port: 8123 });
`,
  "src/jobs/worker.ts": `import { Service, startBatchService } from "tenon";
import { multiply } from "../tools.js";

const worker = multiply;
await startBatchService(new Service({ name: "Products", version: "7.0.0" }), worker);
`,
};

let user: PackedProject;
beforeAll(() => {
  user = packedProject(files, { packages: ["esbuild"] });
  mkdirSync(join(user.root, "elsewhere"));
});
afterAll(() => user.dispose());

/** Output of a built file in a folder that has nothing of the project. */
function printed(file: string): string {
  cpSync(join(user.root, "dist"), join(user.root, "elsewhere/dist"), { recursive: true });
  const { status, stdout, stderr } = user.node([`dist/${file}`, "--print-service-description"], {
    cwd: join(user.root, "elsewhere"),
  });
  expect([status, stderr]).toEqual([0, ""]);
  return stdout;
}

describe("a project with two entries", () => {
  test("has a definition for each, which each build prints from dist alone", () => {
    expect(user.tenon("build")).toMatchObject({ status: 0 });
    expect(user.tenon("build", "src/jobs/worker.ts")).toMatchObject({ status: 0 });
    const [service, worker] = [user.read("service.json"), user.read("service.jobs-worker.json")];
    expect([printed("service.mjs"), printed("worker.mjs")]).toEqual([service, worker]);
    expect(JSON.parse(service)).toMatchObject({
      name: "Sums",
      version: "1.2.3",
      contact: { name: "Ann", email: "ann@example.org" },
      license: { name: "MIT" },
      tools: [{ name: "add" }, { name: "multiply", path: "/product" }],
      prompts: [{ name: "explain" }],
      controller: {
        command: ["node", "dist/service.mjs"],
        port: 8123,
        resources: { limits: { cpu: "250m", memory: "2Gi" }, requests: { cpu: "250m", memory: "2Gi" } },
      },
    });
    const definition = JSON.parse(worker) as Record<string, unknown>;
    expect(definition).toMatchObject({
      name: "Products",
      version: "7.0.0",
      description: "Multiplies two numbers.",
      tools: [{ name: "multiply" }],
      "controller-schema": "urn:platform:schema.service.batch.1",
    });
    const [{ "request-schema": request }] = definition["tools"] as [Record<string, unknown>];
    expect([definition["request-schema"], definition["prompts"]]).toEqual([request, undefined]);
    expect(user.tenon("check", "src/jobs/worker.ts")).toMatchObject({
      status: 0,
      stderr: "service.jobs-worker.json is up to date\n",
    });
  });

  test("prints what esbuild wrote", () => {
    user.write({
      "build.mjs": `import tenon from "tenon/esbuild";
import { build } from "esbuild";
for (const entry of ["src/service.ts", "src/jobs/worker.ts"])
  await build({ entryPoints: [entry], outdir: "dist", plugins: [tenon()] });
`,
    });
    const before = [user.read("service.json"), user.read("service.jobs-worker.json")];
    expect(user.node(["build.mjs"])).toMatchObject({ status: 0 });
    expect([user.read("service.json"), user.read("service.jobs-worker.json")]).toEqual(before);
    expect([printed("service.mjs"), printed("worker.mjs")]).toEqual(before);
  });

  test("is refused by a build of both at once, and before one definition replaces another", () => {
    user.write({
      "both.mjs": `import tenon from "tenon/esbuild";
import { build } from "esbuild";
await build({ entryPoints: ["src/one.ts", "src/two.ts"], outdir: "out", plugins: [tenon()], logLevel: "silent" })
  .catch(({ errors }) => console.log(errors.map(({ text }) => text).join("\\n")));
`,
      "src/shared.ts": `import { Service } from "tenon";\nimport "./tools.js";\nexport const service = new Service({ name: "Sums" });\n`,
      "src/one.ts": `import { startLambdaServer } from "tenon";\nimport { service } from "./shared.js";\nawait startLambdaServer(service);\n`,
      "src/two.ts": `import { startBatchService } from "tenon";\nimport { service } from "./shared.js";\nimport { add } from "./tools.js";\nawait startBatchService(service, add);\n`,
    });
    expect(user.node(["both.mjs"]).stdout).toBe(
      "TN406: The build has a second entry that starts the service; the first one is `src/one.ts`.\n",
    );
    expect(user.tenon("generate", "src/two.ts")).toMatchObject({ status: 0 });
    expect(JSON.parse(user.read("service.two.json"))).toMatchObject({
      "controller-schema": "urn:platform:schema.service.batch.1",
      tools: [{ name: "add" }],
    });
  });
});

test("tenon check shows a change of an only tool once", () => {
  const { "src/service.ts": _, "src/jobs/worker.ts": entry, ...others } = files;
  const single = packedProject({ ...others, "src/service.ts": entry.replace("../tools", "./tools") });
  try {
    expect(single.tenon("generate")).toMatchObject({ status: 0 });
    const tools = files["src/tools.ts"];
    single.write({ "src/tools.ts": tools.replace(/(Multiplies[^@]*@param a) The first/, "$1 The left factor") });
    const { status, stderr } = single.tenon("check");
    expect([status, stderr.match(/^[-+].*$/gm)]).toEqual([
      1,
      ['-            "description": "The first."', '+            "description": "The left factor."'],
    ]);
  } finally {
    single.dispose();
  }
});
