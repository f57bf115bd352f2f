import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type PackedProject, packedProject } from "../support/packed-project.ts";

/** Standard decorators that are not tenon's: in a package, in a script and in a TypeScript module without tools. */
const files = {
  "node_modules/doubling/package.json":
    '{ "name": "doubling", "version": "1.0.0", "type": "module", "exports": { "types": "./main.d.ts", "default": "./main.js" } }',
  "node_modules/doubling/main.d.ts": "export declare class Sum { of(a: number, b: number): number; }\n",
  "node_modules/doubling/main.js": `function doubled(method) {
  return function (...values) { return 2 * method.apply(this, values); };
}
export class Sum {
  @doubled of(a, b) { return a + b; }
}
`,
  "src/product.d.ts": "export declare class Product { by(a: number, b: number): number; }\n",
  "src/product.js": `const plus = 1;
const plusSome = (method) => function (...values) { return plus + method.apply(this, values); };
export class Product {
  @plusSome by(a, b) { return a * b; }
}
`,
  "src/halves.ts": `function halved<T>(_: undefined, __: ClassFieldDecoratorContext<T, number>) {
  return (value: number): number => value / 2;
}
export class Halves {
  @halved ten = 10;
}
`,
  "src/calculate.ts": `import { Sum } from "doubling";
import { Halves } from "./halves.js";
import { Product } from "./product.js";

/** Calculates.
 * @param a - One number.
 * @param b - Another one.
 * @tool */
export function calculate(a: number, b: number): number[] {
  return [new Sum().of(a, b), new Product().by(a, b), new Halves().ten];
}
`,
  "src/service.ts": `import { Service, startLambdaServer } from "tenon";
import "./calculate.js";
await startLambdaServer(new Service({ name: "Sums" }));
`,
  "test/calculate.test.ts": `import { callTool } from "tenon/testing";
import { expect, test } from "vitest";
import { calculate } from "../src/calculate.js";
test("calculates", async () => expect((await callTool(calculate, { a: 2, b: 3 })).result).toEqual([10, 7, 5]));
`,
  // Node itself would load a package that is not inlined.
  "vitest.config.ts": `import { defineConfig } from "vitest/config";
import tenon from "tenon/vite";
export default defineConfig({ plugins: [tenon()], test: { server: { deps: { inline: ["doubling"] } } } });
`,
};

let user: PackedProject;
beforeAll(() => {
  user = packedProject(files, { packages: ["vitest", "vite"] });
});
afterAll(() => user.dispose());

test("tenon call runs them", () => {
  const { status, stdout } = user.tenon("call", "calculate", '{"a": 2, "b": 3}', "--json");
  expect([status, JSON.parse(stdout)]).toEqual([0, [10, 7, 5]]);
});

test("vitest runs them", () => {
  expect(user.node(["node_modules/vitest/vitest.mjs", "run"])).toMatchObject({ status: 0, stderr: "" });
});

test("tenon dev runs them, also after a save", async () => {
  const child = spawn(
    process.execPath,
    [join(user.root, "node_modules/tenon/dist/cli/main.js"), "dev", "--port", "0"],
    {
      cwd: user.root,
      stdio: ["ignore", "ignore", "pipe"],
    },
  );
  const ended = once(child, "exit");
  try {
    const url = await new Promise<string>((found, failed) => {
      const said: string[] = [];
      child.once("exit", (code) => failed(new Error(`ended with ${code}:\n${said.join("\n")}`)));
      createInterface({ input: child.stderr }).on("line", (line) => {
        said.push(line);
        const at = /http:\/\/127\.0\.0\.1:\d+/.exec(line);
        if (at !== null) found(at[0]);
      });
    });
    const calculate = async (): Promise<unknown> => {
      const headers = { "content-type": "application/json" };
      return (await fetch(`${url}/tool/calculate`, { method: "POST", headers, body: '{"a": 2, "b": 3}' })).json();
    };
    expect(await calculate()).toEqual([10, 7, 5]);
    user.write({ "src/product.js": files["src/product.js"].replace("plus = 1", "plus = 2") });
    await expect.poll(calculate, { interval: 20 }).toEqual([10, 8, 5]);
  } finally {
    child.kill("SIGINT");
    await ended;
  }
});
