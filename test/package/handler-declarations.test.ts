import { afterEach, expect, test } from "vitest";
import { packedProject } from "../support/packed-project.ts";
import { primeFiles } from "../support/prime-project.ts";

let dispose = (): void => {};
afterEach(() => dispose());

const handler = `import { createFetchHandler, Service } from "tenon";
import { isPrime } from "./is-prime.js";

export { isPrime };
export const handler = createFetchHandler(new Service({ name: "Prime numbers" }), { basePath: "/api" });
export default { fetch: handler };
`;

/** An application in TypeScript that serves what was built. */
const application = `import all, { handler, isPrime } from "./dist/service.mjs";

// @ts-expect-error A handler takes a request.
const wrong = (): unknown => handler(1);
const answer: Response = await handler(new Request("http://localhost/api/service.json"));
console.log(typeof wrong, typeof isPrime, all.fetch === handler, answer.status, await answer.text());
await all.fetch.stop();
`;

test("a built handler has declarations, and an application that imports it compiles and runs", () => {
  const files = { ...primeFiles, "src/service.ts": handler, "application.mts": application };
  const user = packedProject(files, { typescript: "typescript" });
  dispose = user.dispose;
  const built = user.tenon("build", "--json");
  expect(built).toMatchObject({ status: 0 });
  expect(JSON.parse(built.stdout)).toMatchObject({
    files: expect.arrayContaining([{ file: "service.d.mts", bytes: expect.any(Number), entry: false }]),
  });
  expect(user.read("dist/service.d.mts")).toContain('from "../src/is-prime.js"');
  const tsc = ["node_modules/typescript/bin/tsc", "--noEmit", "--module", "nodenext", "--target", "es2023"];
  const checked = user.node([
    ...tsc,
    "--strict",
    "--skipLibCheck",
    "--types",
    "node",
    "application.mts",
    "--ignoreConfig",
  ]);
  expect(checked).toEqual({ status: 0, stdout: "", stderr: "" });
  const ran = user.node(["application.mts"]);
  expect(ran.stdout).toContain("function function true 200 {");
  expect(ran.status).toBe(0);
});
