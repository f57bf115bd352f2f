import { join } from "node:path";
import { expect, test } from "vitest";
import { compileProject } from "../../../../plugin/index.ts";
import { temporaryFolder, writeFiles } from "../../../support/temporary-folder.ts";

const files = {
  "package.json": '{ "name": "acme", "version": "2.0.1", "type": "module" }',
  "src/service.ts": `import { Service, startBatchService } from "tenon";
import "./b.js";
import "./a.js";
await startBatchService(new Service({ name: "Letters", version: "3.0.0" }));
`,
  "src/a.ts": "/** Gives a. @tool */\nexport function alpha(): string {\n  return 'a';\n}\n",
  "src/b.ts": "/** Gives b. @tool */\nexport const beta = (): number => 1;\n",
  "src/unused.ts": "/** Not imported. @tool */\nexport function gamma(): string {\n  return 'c';\n}\n",
};

test("gives models, definitions, code and the service of what the entry imports, by name", async () => {
  const root = temporaryFolder(files);
  const { tools, service, diagnostics, dependencies } = await compileProject({ root, entry: "src/service.ts" });
  expect(diagnostics).toEqual([expect.objectContaining({ code: "TN410", level: "warning", file: "src/unused.ts" })]);
  expect(tools.map(({ model, definition }) => [model.name, definition.source])).toEqual([
    ["alpha", "src/a.ts:2"],
    ["beta", "src/b.ts:2"],
  ]);
  expect(tools[0]?.code).toMatch(/^\w+\(\{name:"alpha"/);
  expect(service?.file).toBe(join(root, "service.json"));
  expect(service?.definition).toMatchObject({
    name: "Letters",
    version: "3.0.0",
    "controller-schema": "urn:platform:schema.service.batch.1",
    controller: { command: ["#ENTRYPOINT#"], image: "#DOCKER_IMG#" },
  });
  const reached = ["package.json", "src/a.ts", "src/b.ts", "src/service.ts"].map((file) => join(root, file));
  expect(dependencies).toEqual(expect.arrayContaining(reached));
  expect(dependencies).not.toContain(join(root, "src/unused.ts"));
});

test("takes command and resources from the package's folder, and its version when the service has none", async () => {
  const root = temporaryFolder({
    ...files,
    "src/service.ts": files["src/service.ts"].replace(', version: "3.0.0"', ""),
    Dockerfile: 'FROM node:24\nENTRYPOINT ["node", "service.mjs"]\n',
    "resources.json": '{ "limits": { "cpu": "2", "memory": "4Gi" } }',
  });
  const { service } = await compileProject({ entry: join(root, "src/service.ts"), service: "out/definition.json" });
  expect(service?.file).toBe(join(root, "out/definition.json"));
  expect(service?.definition).toMatchObject({
    version: "2.0.1",
    controller: {
      command: ["node", "service.mjs"],
      resources: { limits: { cpu: "2", memory: "4Gi" }, requests: { cpu: "2", memory: "4Gi" } },
    },
  });
  writeFiles(root, { "resources.json": '{ "limit": {} }' });
  const broken = await compileProject({ entry: join(root, "src/service.ts") });
  expect(broken.service).toBeUndefined();
  expect(broken.diagnostics).toEqual([
    {
      code: "TN407",
      level: "error",
      message: 'The file cannot be used: it has the unknown key "limit"; known are "limits" and "requests".',
      file: "resources.json",
    },
  ]);
});

test("an entry without a service gives tools only; an error gives no service", async () => {
  const root = temporaryFolder({ ...files, "src/main.ts": 'import "./a.js";' });
  const plain = await compileProject({ root, entry: "src/main.ts" });
  expect(plain.tools).toHaveLength(1);
  expect(plain).not.toHaveProperty("service");
  writeFiles(root, { "src/b.ts": files["src/a.ts"] });
  const twice = await compileProject({ root, entry: "src/service.ts" });
  expect(twice).not.toHaveProperty("service");
  expect(twice.diagnostics.map(({ code, file }) => `${code} ${file}`)).toEqual(["TN112 src/b.ts"]);
});

test("checks its options like the plugin", async () => {
  await expect(compileProject({ entry: "x", cach: true } as never)).rejects.toThrow("Did you mean `cache`?");
});
