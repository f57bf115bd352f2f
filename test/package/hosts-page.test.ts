import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type PackedProject, packedProject } from "../support/packed-project.ts";

const page = readFileSync("docs/hosts.md", "utf8");
/** The page's own entry, with the tool of README. */
const [, service = ""] = /^```ts\n(.*?)^```/ms.exec(page) ?? [];
const [, tool = ""] = /^```ts\n(\/\/ src\/is-prime\.ts\n.*?)^```/ms.exec(readFileSync("README.md", "utf8")) ?? [];

/** The code of a host in the page's table: all that is between backticks and is more than a name. */
function codeOf(host: string): string {
  const row = page.split("\n").find((line) => line.startsWith(`| ${host} |`)) ?? "";
  const [, cell = ""] = row.split(" | ");
  const code = [...cell.matchAll(/`([^`]+)`/g)].map(([, one = ""]) => one).find((one) => one.includes("handler"));
  if (code === undefined) throw new Error(`docs/hosts.md has no code for ${host}.`);
  return code;
}

const post = `{ method: "POST", headers: { "content-type": "application/json" }, body: '{"number":997}' }`;
const result = '{"$schema":"urn:example:schema.is-prime.1","number":997,"isPrime":true}';
const ask = `const ask = async (answer) => console.log(answer.status, await answer.text());
const request = (path, init) => new Request("http://localhost" + path, init);
const overNet = async (server) => {
  if (!server.listening) await new Promise((done) => server.once("listening", done));
  const url = "http://127.0.0.1:" + server.address().port;
  await ask(await fetch(url + "/api/tool/isPrime", ${post}));
  await ask(await fetch(url + "/api/tool"));
  server.close();
};
`;
const inProcess = `await ask(await answer(request("/api/tool/isPrime", ${post})));
await ask(await answer(request("/api/tool")));
`;

/** A program around the code of each host. */
const programs: readonly (readonly [host: string, program: (code: string) => string])[] = [
  [
    "Hono",
    (code) => `import { Hono } from "hono";
const app = new Hono();
${code};
const answer = (one) => app.fetch(one);
${inProcess}`,
  ],
  [
    "Express",
    (code) => `import express from "express";
import { getRequestListener } from "@hono/node-server";
const app = express();
${code};
await overNet(app.listen(0, "127.0.0.1"));`,
  ],
  [
    "`node:http`",
    (code) => `import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
await overNet(${code}.listen(0, "127.0.0.1"));`,
  ],
  [
    "workers",
    (code) => `${code.replace("export default", "const worker =")};
const answer = worker.fetch;
${inProcess}`,
  ],
];

let user: PackedProject;
beforeAll(() => {
  const files = { "src/service.ts": service, "src/is-prime.ts": tool };
  user = packedProject(files, { packages: ["express"] });
  expect(user.tenon("build", "--no-code-cache")).toMatchObject({ status: 0 });
});
afterAll(() => user.dispose());

test.each(programs)("the line of %s serves both requests", (host, program) => {
  const imported = 'import { handler } from "./dist/service.mjs";\n';
  user.write({ "host.mjs": `${imported}${ask}${program(codeOf(host))}\nawait handler.stop();\n` });
  const { status, stdout, stderr } = user.node(["host.mjs"]);
  expect([status, stderr]).toEqual([0, ""]);
  const [called, described] = stdout.split("\n");
  expect(called).toBe(`200 ${result}`);
  expect(described).toMatch(/^200 .*"name":"isPrime"/);
});

test("the line of Next.js makes a route with the three methods", () => {
  // Next.js calls the function of the request's method.
  user.write({
    "route.mjs": `import { handler } from "./dist/service.mjs";\n${codeOf("Next.js")};\n`,
    "host.mjs": `${ask}const route = await import("./route.mjs");
const answer = (one) => route[one.method](one, { params: Promise.resolve({ path: ["tool"] }) });
${inProcess}
await ask(await answer(request("/api/jobs/none", { method: "DELETE" })));
await route.GET.stop();
`,
  });
  const { status, stdout, stderr } = user.node(["host.mjs"]);
  expect([status, stderr]).toEqual([0, ""]);
  expect(stdout.split("\n")).toEqual([
    `200 ${result}`,
    expect.stringMatching(/^200 /),
    expect.stringMatching(/^404 /),
    "",
  ]);
});
