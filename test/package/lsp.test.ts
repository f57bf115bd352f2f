import { spawn } from "node:child_process";
import { once } from "node:events";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ShowMessageNotification } from "vscode-languageserver/node";
import { languageClient, type LanguageClient } from "../support/language-client.ts";
import { packedProject, type PackedProject } from "../support/packed-project.ts";

const service = `import { Service, startLambdaServer } from "tenon";
import "./add.js";

await startLambdaServer(new Service({ name: "Sums", description: "Adds numbers." }));
`;
const add = `/** Numbers to add. @schema urn:example:schema.sum.1 */
export interface Sum {
  /** The first one. @minimum 1 */
  a: number;
  /** The second one. */
  b: number;
}

/** A total. @schema urn:example:schema.total.1 */
export interface Total {
  /** The sum. */
  total: number;
}

/**
 * Adds two numbers.
 * @tool
 * @readonly
 */
export function add(request: Sum): Total {
  return { total: request.a + request.b };
}
`;
const withoutUrns = add.replaceAll(/ @schema urn\S+/g, "");

let project: PackedProject;
let client: LanguageClient;

beforeAll(async () => {
  project = packedProject({
    "src/service.ts": service,
    "src/add.ts": add,
    "tsconfig.json": '{ "compilerOptions": { "strict": true } }',
  });
  client = await languageClient(join(project.root, "node_modules/tenon/dist/cli/main.js"), project.root);
});

afterAll(async () => {
  await client.crash();
  project.dispose();
});

describe("tenon lsp", () => {
  test("publishes findings of a text that is not saved, with the page of their code, and takes them back", async () => {
    client.open("src/add.ts", add.replace("a: number", "a: () => void"));
    await expect.poll(() => client.codes("src/add.ts")).toEqual(["TN301"]);
    const [finding] = client.findings("src/add.ts") ?? [];
    expect(finding).toMatchObject({ source: "tenon", severity: 1, range: { start: { line: 3, character: 5 } } });
    expect(finding?.codeDescription?.href).toMatch(/^file:.*\/docs\/diagnostics\.md#tn301$/);
    client.type("src/add.ts", add);
    await expect.poll(() => client.codes("src/add.ts")).toEqual([]);
  });

  test("half a line is not judged", async () => {
    client.type("src/add.ts", withoutUrns);
    await expect.poll(() => client.codes("src/add.ts")?.length).toBeGreaterThan(0);
    client.type("src/add.ts", `${withoutUrns}\nexport function (`);
    await expect.poll(() => client.codes("src/add.ts")).toEqual([]);
  });

  test("fixes one finding, all of its code, and all at a save", async () => {
    client.type("src/add.ts", withoutUrns);
    await expect.poll(() => client.codes("src/add.ts")?.length).toBe(2);
    const [first] = client.findings("src/add.ts") ?? [];
    if (first === undefined) throw new Error("no finding");
    const actions = await client.actions("src/add.ts", first);
    expect(actions.map(({ title }) => title)).toHaveLength(2);
    expect(client.applied("src/add.ts", actions[0])).toContain("urn:user-project:schema.sum.1");
    const all = client.applied("src/add.ts", actions[1]);
    expect(all).toContain("urn:user-project:schema.total.1");
    const [onSave] = await client.actions("src/add.ts", first, "source.fixAll.tenon");
    expect(client.applied("src/add.ts", onSave)).toBe(all);
    client.type("src/add.ts", all);
    await expect.poll(() => client.codes("src/add.ts")).toEqual([]);
  });

  test("shows a tool as callers see it, and a field with its limits and users", async () => {
    client.type("src/add.ts", add);
    await expect.poll(() => client.hover("src/add.ts", "add(request")).toContain("POST /tool");
    const tool = await client.hover("src/add.ts", "add(request");
    expect(tool).toContain("urn:example:schema.sum.1");
    expect(tool).toContain("tokens");
    expect(tool).toContain("total: number");
    const field = await client.hover("src/add.ts", "a: number");
    expect(field).toContain("minimum `1`");
    expect(field).toContain("used by `add`");
  });

  test("completes tags and their values within comments alone", async () => {
    client.type("src/add.ts", add.replace("@readonly", "@"));
    expect(await client.completion("src/add.ts", " * @tool\n * @")).toContain("@idempotent");
    client.type("src/add.ts", add.replace("@minimum 1", "@"));
    const tags = await client.completion("src/add.ts", "The first one. @");
    expect(tags).toContain("@minimum");
    expect(tags).not.toContain("@tool");
    client.type("src/add.ts", add.replace("@minimum 1", "@format "));
    expect(await client.completion("src/add.ts", "@format ")).toContain("email");
    client.type("src/add.ts", add.replace("urn:example:schema.sum.1", ""));
    expect(await client.completion("src/add.ts", "add. @schema ")).toEqual(["urn:example:schema.sum.1"]);
    expect(await client.completion("src/add.ts", "export function")).toEqual([]);
  });

  test("finds a tool by the name that callers know", async () => {
    client.type("src/add.ts", add.replace("@readonly", "@name add-numbers"));
    await expect.poll(() => client.symbols("adnum")).toEqual(["add-numbers"]);
    expect(await client.outline("src/add.ts")).toEqual(["add-numbers"]);
    expect(await client.outline("src/service.ts")).toEqual([]);
  });

  test("a type that is edited in one document changes the findings in another", async () => {
    client.type("src/add.ts", `import type { Extra } from "./extra.js";\n${add.replace("b: number", "b: Extra")}`);
    client.open("src/extra.ts", "export type Extra = number;\n");
    await expect.poll(() => client.codes("src/add.ts")).toEqual([]);
    client.type("src/extra.ts", "export type Extra = () => void;\n");
    await expect.poll(() => client.codes("src/add.ts")).toEqual(["TN301"]);
    client.type("src/extra.ts", "export type Extra = string;\n");
    await expect.poll(() => client.codes("src/add.ts")).toEqual([]);
    client.close("src/extra.ts");
    await expect.poll(() => client.codes("src/add.ts")?.length).toBe(1);
  });

  test("offers what a person has to want: a missing export, a misspelt tag, a text, and the import of a tool", async () => {
    project.write({
      "src/alone.ts": add
        .replaceAll("sum.1", "sum.2")
        .replaceAll("total.1", "total.2")
        .replace("function add", "function alone"),
    });
    client.type("src/add.ts", add);
    client.save("src/service.ts");
    await expect.poll(() => client.codes("src/alone.ts")).toEqual(["TN410"]);
    client.open("src/service.ts", service);
    const [unreached] = client.findings("src/alone.ts") ?? [];
    if (unreached === undefined) throw new Error("no finding");
    const [imported] = await client.actions("src/alone.ts", unreached);
    expect(client.applied("src/service.ts", imported)).toContain('import "./add.js";\nimport "./alone.js";\n');
    const broken = add
      .replace("export function", "function")
      .replace("@minimum", "@minimun")
      .replace("/** The second one. */", "");
    client.type("src/add.ts", broken);
    await expect.poll(() => client.codes("src/add.ts")).toEqual(["TN102"]);
    const [finding] = client.findings("src/add.ts") ?? [];
    if (finding === undefined) throw new Error("no finding");
    const exported = client.applied("src/add.ts", (await client.actions("src/add.ts", finding))[0]);
    expect(exported).toContain("\nexport function add");
    client.type("src/add.ts", exported);
    await expect.poll(() => client.codes("src/add.ts")).toEqual(["TN109", "TN203"]);
    const [misspelt, silent] = client.findings("src/add.ts") ?? [];
    if (misspelt === undefined || silent === undefined) throw new Error("no findings");
    const spelt = await client.actions("src/add.ts", misspelt);
    expect(client.applied("src/add.ts", spelt[0])).toContain("@minimum 1");
    const texts = await client.actions("src/add.ts", silent);
    expect(client.applied("src/add.ts", texts[0])).toContain("/** What callers give here. */\n  b: number");
    const [onSave] = await client.actions("src/add.ts", silent, "source.fixAll.tenon");
    expect(client.applied("src/add.ts", onSave)).not.toContain("What callers give");
  });
});

describe("what editors do to a language server", () => {
  const main = (): string => join(project.root, "node_modules/tenon/dist/cli/main.js");

  test("a file without a package, one of 10 MB, broken comments and Windows line ends have no false findings", async () => {
    const other = packedProject({ "src/service.ts": service, "src/add.ts": add });
    const editor = await languageClient(main(), other.root);
    editor.open("../loose.ts", "/** @tool */ function () {");
    editor.open("src/huge.ts", `export const text = "${"x".repeat(10_000_000)}";\n`);
    editor.open("src/add.ts", add.replaceAll("\n", "\r\n"));
    await expect.poll(() => editor.hover("src/add.ts", "add(request")).toContain("POST /tool");
    for (const half of ["/**", "/** @", "/** @tool", "/** @tool\n * @example {", "/** @schema urn:", "@"]) {
      editor.type("src/add.ts", `${add}\n${half}`);
      expect(await editor.hover("src/add.ts", "add(request")).toBeTypeOf("string");
    }
    editor.type("src/add.ts", withoutUrns.replaceAll("\n", "\r\n"));
    await expect.poll(() => editor.codes("src/add.ts")).toEqual(["TN201", "TN201"]);
    expect(editor.codes("../loose.ts") ?? []).toEqual([]);
    expect(editor.stderr()).toBe("");
    expect(await editor.leave()).toBe(0);
    other.dispose();
  });

  test("a tsconfig that changes or goes, and packages that are being installed, change the findings and end nothing", async () => {
    const other = packedProject({
      "src/service.ts": service,
      "src/add.ts": `import type { Extra } from "extra";\n${add.replace("b: number", "b: Extra")}`,
      "tsconfig.json": "{ broken",
    });
    const editor = await languageClient(main(), other.root);
    editor.open("src/add.ts", other.read("src/add.ts"));
    await expect.poll(() => editor.codes("src/add.ts")?.includes("TN302")).toBe(true);
    other.write({ "node_modules/extra/package.json": '{ "name": "ex' });
    editor.changed("node_modules/extra/package.json");
    expect(await editor.hover("src/add.ts", "add(request")).toBeTypeOf("string");
    other.write({
      "node_modules/extra/package.json": '{ "name": "extra", "types": "index.d.ts", "version": "1.0.0" }',
      "node_modules/extra/index.d.ts": "export type Extra = number;\n",
      "tsconfig.json": '{ "compilerOptions": { "strict": true, "moduleResolution": "bundler", "module": "esnext" } }',
    });
    editor.changed("tsconfig.json");
    await expect.poll(() => editor.codes("src/add.ts")).toEqual([]);
    other.remove("tsconfig.json");
    editor.changed("tsconfig.json");
    expect(await editor.hover("src/add.ts", "add(request")).toContain("POST /tool");
    expect(await editor.leave()).toBe(0);
    other.dispose();
  });

  test("options are read again when they are saved, wrong ones are told once, and files outside of tsconfig have no noise", async () => {
    const other = packedProject({
      "src/service.ts": service,
      "src/add.ts": add.replace("/** The second one. */", ""),
      "tsconfig.json": '{ "compilerOptions": { "strict": true }, "include": ["src"] }',
      "tenon.config.ts": 'export default { rules: { "missing-field-text": "off" } };\n',
    });
    const editor = await languageClient(main(), other.root);
    const told: string[] = [];
    editor.connection.onNotification(ShowMessageNotification.type, ({ message }) => void told.push(message));
    editor.open("outside/loose.ts", "export const loose: number = 1;\n");
    editor.open("src/add.ts", other.read("src/add.ts"));
    expect(await editor.hover("src/add.ts", "add(request")).toContain("POST /tool");
    expect(editor.codes("src/add.ts") ?? []).toEqual([]);
    other.write({ "tenon.config.ts": "export default { rules: {} };\n" });
    editor.changed("tenon.config.ts");
    await expect.poll(() => editor.codes("src/add.ts")).toEqual(["TN203"]);
    other.write({ "tenon.config.ts": "export default { rulez: {} };\n" });
    editor.changed("tenon.config.ts");
    await expect.poll(() => editor.codes("src/add.ts")).toEqual([]);
    editor.type("src/add.ts", `${other.read("src/add.ts")}\n`);
    expect(await editor.hover("src/add.ts", "add(request")).toBe("");
    expect(told).toEqual([expect.stringMatching(/tenon\.config\.ts.*`rulez`.*`rules`/)]);
    other.write({ "tenon.config.ts": 'export default { rules: { "missing-field-text": "error" } };\n' });
    editor.changed("tenon.config.ts");
    await expect.poll(() => editor.findings("src/add.ts")?.map(({ severity }) => severity)).toEqual([1]);
    expect(editor.codes("outside/loose.ts") ?? []).toEqual([]);
    expect(await editor.leave()).toBe(0);
    other.dispose();
  });

  test("a tool can be called from its line while tenon dev serves the project", async () => {
    const other = packedProject({ "src/service.ts": service, "src/add.ts": add });
    const editor = await languageClient(main(), other.root);
    editor.open("src/add.ts", add);
    expect(await editor.lenses("src/add.ts")).toEqual([]);
    const dev = spawn(process.execPath, [main(), "dev", "--port", "0", "--no-types"], {
      cwd: other.root,
      stdio: "ignore",
    });
    await expect
      .poll(() => editor.lenses("src/add.ts"), { interval: 50 })
      .toEqual([expect.stringMatching(/^Call http:\/\/127\.0\.0\.1:\d+\/\S*#\/tools\/add$/)]);
    const ended = once(dev, "exit");
    dev.kill("SIGINT");
    await ended;
    expect(await editor.lenses("src/add.ts")).toEqual([]);
    expect(await editor.leave()).toBe(0);
    other.dispose();
  });

  test("an editor that ends in the middle of a check leaves no process", async () => {
    const editor = await languageClient(main(), project.root);
    editor.open("src/add.ts", withoutUrns);
    expect(await editor.crash()).not.toBeNull();
  });

  test("two workspaces, 500 edits in each: no finding is stale", async () => {
    const [one, two] = [
      packedProject({ "src/service.ts": service, "src/add.ts": add }),
      packedProject({ "src/service.ts": service, "src/add.ts": add }),
    ];
    const editor = await languageClient(main(), one.root);
    const second = `../${basename(two.root)}/src/add.ts`;
    editor.open("src/add.ts", add);
    editor.open(second, add);
    for (let number = 0; number < 500; number++) {
      editor.type("src/add.ts", `${number % 2 === 0 ? withoutUrns : add}// ${number}\n`);
      editor.type(second, `${number % 2 === 0 ? add : withoutUrns}// ${number}\n`);
    }
    await expect.poll(() => editor.codes(second)).toEqual(["TN201", "TN201"]);
    expect(await editor.hover("src/add.ts", "add(request")).toContain("urn:example");
    expect(editor.codes("src/add.ts") ?? []).toEqual([]);
    expect(await editor.leave()).toBe(0);
    one.dispose();
    two.dispose();
  });
});
