import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
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
});
