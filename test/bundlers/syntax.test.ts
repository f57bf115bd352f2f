import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import webpack, { type Stats } from "webpack";
import { type BundlerProject, bundlerProject, runMoved } from "./bundler-project.ts";
import { type BundleResult, bundlerNames, bundlers } from "./six-bundlers.ts";

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
  "src/steps.ts": `type Step = (this: unknown, ...values: never[]) => unknown;

/** The methods that were called. */
export const called: string[] = [];

/** {@link called} hears of each call. */
export function logged<T extends Step>(step: T, { name }: ClassMethodDecoratorContext): T {
  return function (this: unknown, ...values: never[]) {
    called.push(String(name));
    return step.apply(this, values);
  } as T;
}
`,
  // A module without tools, and decorators that are not tenon's.
  "src/shouter.ts": `import { logged } from "./steps.js";

export class Shouter {
  @logged shout(text: string): string { return \`\${text}!\`; }
}
`,
  "src/hello.ts": `import { withSchema } from "tenon";
import { Shouter } from "./shouter.js";
import { called, logged } from "./steps.js";
import { User } from "./user.js";

class Connection {
  constructor(readonly name: string, readonly steps: string[]) {}
  [Symbol.dispose](): void { this.steps.push(\`closed \${this.name}\`); }
  async [Symbol.asyncDispose](): Promise<void> { this.steps.push(\`ended \${this.name}\`); }
}

export @withSchema("urn:acme:schema.greeting.1") class Greeting {
  /** The text. */ text: string = "";
  /** The released ones. */ steps: string[] = [];
}

class Speaker {
  /** Says it. */ @logged say(text: string): string { return new Shouter().shout(text); }
}

/** Greets, and releases what it holds. @tool */
export async function hello(user: User): Promise<Greeting> {
  const greeting = new Greeting();
  {
    using first = new Connection("first", greeting.steps);
    await using second = new Connection("second", greeting.steps);
    greeting.text = new Speaker().say(\`Hello, \${user.name}, by \${first.name} and \${second.name}\`);
  }
  greeting.steps.push(...called);
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
  // Scripts with decorators: a package's, and one of the author's.
  "node_modules/doubling/package.json":
    '{ "name": "doubling", "version": "1.0.0", "type": "module", "exports": "./main.js" }',
  "node_modules/doubling/main.js": `function doubled(method) {
  return function (...values) { return 2 * method.apply(this, values); };
}
export class Sum {
  @doubled of(a, b) { return a + b; }
}
`,
  "src/product.js": `import { Sum } from "doubling";

const plusOne = (method) => function (...values) { return 1 + method.apply(this, values); };

export default class Product extends Sum {
  @plusOne
  by(a, b) { return a * b; }
}
`,
  "src/scripts.ts": `import { ValueError } from "tenon";
import Product from "./product.js";

const product = new Product();
if (product instanceof ValueError) throw product;
console.log(JSON.stringify([product.of(1, 2), product.by(3, 4)]));
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
    const text = "Hello, Ada, by first and second!";
    const greeting = { text, steps: ["ended second", "closed first", "say", "shout"] };
    expect(JSON.parse(ran.stdout)).toEqual(["urn:acme:schema.user.1", expect.objectContaining(greeting)]);
  });
});

test("webpack that compiles TypeScript itself lowers `using`, also in a module without tools", async () => {
  project.write({
    "src/held.ts": `export const steps: string[] = [];
export function hold(): void {
  using held = { [Symbol.dispose](): void { steps.push("closed"); } };
  steps.push(typeof held);
}
`,
    "src/plain.ts": 'import "tenon";\nimport { hold, steps } from "./held.js";\nhold();\nconsole.log(steps.join());\n',
  });
  const outdir = project.path("out/webpack-plain");
  const compiler = webpack({
    context: project.root,
    mode: "production",
    entry: { plain: "./src/plain.ts" },
    output: { path: outdir },
    externals: { tenon: "module node:os" },
    plugins: [project.plugins.webpack()],
  });
  const stats = await new Promise<Stats | undefined>((done, fail) =>
    compiler?.run((error, found) => (error === null ? done(found) : fail(error))),
  );
  expect(stats?.toString({ all: false, errors: true })).toBe("");
  expect(runMoved(outdir, "plain.mjs", [], oldestNode)).toEqual({ status: 0, stderr: "", stdout: "object,closed\n" });
});

/** They leave decorators of scripts to the loader that compiles them. */
const withLoaders = ["webpack", "rspack"];

async function buildScripts(name: string, outdir: string): Promise<BundleResult | undefined> {
  return bundlers[name]?.({ root: project.root, outdir, plugins: project.plugins, entry: "src/scripts.ts" });
}

test.each(bundlerNames.filter((name) => !withLoaders.includes(name)))("%s builds decorated scripts", async (name) => {
  const outdir = project.path("out", `${name}-scripts`);
  expect(await buildScripts(name, outdir)).toEqual({ warnings: [] });
  const file = ["scripts.mjs", "scripts.js", "service.mjs"].find((one) => existsSync(join(outdir, one)));
  const ran = runMoved(outdir, file ?? "no entry", [], oldestNode);
  expect(ran).toMatchObject({ status: 0, stderr: "", stdout: "[6,13]\n" });
});

test.each(withLoaders)("%s asks for a loader that compiles decorated scripts", async (name) => {
  const { failure } = (await buildScripts(name, project.path("out", `${name}-scripts`))) ?? {};
  expect(failure?.text).toMatch(/loader/);
});
