import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BundlerProject, bundlerProject, runMoved } from "./bundler-project.ts";
import { bundlerNames, bundlers } from "./six-bundlers.ts";

/** The oldest Node that README promises; it knows neither decorators nor `using`. */
const oldestNode = resolve("test/versions/node-22/node_modules/node/bin/node");

const files = {
  "src/user.ts": `import { withSchema as model } from "tenon";

/** A user. */
@model("urn:acme:schema.user.1")
export class User {
  /** Its name. */ name: string = "";
}
`,
  "src/hello.ts": `import { withSchema } from "tenon";
import { User } from "./user.js";

class Connection {
  constructor(readonly name: string, readonly steps: string[]) {}
  [Symbol.dispose](): void { this.steps.push(\`closed \${this.name}\`); }
  async [Symbol.asyncDispose](): Promise<void> { this.steps.push(\`ended \${this.name}\`); }
}

export @withSchema("urn:acme:schema.greeting.1") class Greeting {
  /** The text. */ text: string = "";
  /** What was released. */ steps: string[] = [];
}

/** Greets, and releases what it holds. @tool */
export async function hello(user: User): Promise<Greeting> {
  const greeting = new Greeting();
  {
    using first = new Connection("first", greeting.steps);
    await using second = new Connection("second", greeting.steps);
    greeting.text = \`Hello, \${user.name}, by \${first.name} and \${second.name}\`;
  }
  return greeting;
}
`,
  "src/registry.ts": `import "./hello.js";
import { User } from "./user.js";

interface Registry {
  readonly tools: ReadonlyMap<string, { readonly functions: { call(request: unknown): unknown } }>;
}
const { tools } = (globalThis as unknown as { [key: symbol]: Registry })[Symbol.for("tenon.registry")]!;
const urn = (User as unknown as { [key: symbol]: string })[Symbol.for("tenon.schema")];
console.log(JSON.stringify([urn, await tools.get("hello")!.functions.call({ name: "Ada" })]));
`,
};

let project: BundlerProject;
beforeAll(async () => {
  project = await bundlerProject();
  project.write(files);
});
afterAll(() => project[Symbol.dispose]());

describe.each(bundlerNames)("%s", (name) => {
  test("builds decorated classes and `using` for the oldest Node", async () => {
    const outdir = project.path("out", name);
    const request = { root: project.root, outdir, plugins: project.plugins, entry: "src/registry.ts" };
    expect(await bundlers[name]?.(request)).toEqual({ warnings: [] });
    const file = ["registry.mjs", "registry.js", "service.mjs"].find((one) => existsSync(join(outdir, one)));
    const ran = runMoved(outdir, file ?? "no entry", [], oldestNode);
    expect(ran).toMatchObject({ status: 0, stderr: "" });
    const text = "Hello, Ada, by first and second";
    const greeting = { text, steps: ["ended second", "closed first"] };
    expect(JSON.parse(ran.stdout)).toEqual(["urn:acme:schema.user.1", expect.objectContaining(greeting)]);
  });
});
