import { join } from "node:path";
import { createContext, Script } from "node:vm";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { builtProject } from "../support/built-project.ts";
import { serve, type PackedProject, type Served } from "../support/packed-project.ts";
import { primeFiles } from "../support/prime-project.ts";

type Execute = (args: Record<string, unknown>) => Promise<unknown>;
type Provider = { readonly name: string; readonly fns: Readonly<Record<string, Execute>> };

/** The part of the package that is used: it makes the host's tool that takes code. */
interface CodeMode {
  createBrowserCodeTool(options: {
    readonly description: string;
    readonly tools: Readonly<Record<string, { readonly inputSchema: object; readonly execute: Execute }>>;
    readonly executor: { execute(code: string, providers: readonly Provider[]): Promise<object> };
  }): {
    readonly description: string;
    execute(input: { readonly code: string }): Promise<{ readonly result: unknown }>;
  };
}

// Its other entries need Cloudflare's workers.
const entry = "@cloudflare/codemode/browser";
const { createBrowserCodeTool } = (await import(entry)) as CodeMode;

let user: PackedProject;
let service: Served;
let client: Client;
beforeAll(async () => {
  user = builtProject(primeFiles);
  service = await serve(join(user.root, "dist/service.mjs"), ["--with-mcp"], { TENON_TOOL_SEARCH: "true" });
  client = new Client({ name: "host", version: "1" });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`)));
});
afterAll(async () => {
  await client.close();
  await service.stop();
  user.dispose();
});

/** The tool of a host whose model writes code, as docs/mcp.md shows it. */
async function codeTool(): Promise<ReturnType<CodeMode["createBrowserCodeTool"]>> {
  const { contents } = await client.readResource({ uri: "tenon://types.d.ts" });
  const [types] = contents as readonly { readonly text: string }[];
  const { tools } = await client.listTools();
  return createBrowserCodeTool({
    description: `Runs an async function. It has \`declare const codemode: Tools\`.\n${types?.text}`,
    tools: Object.fromEntries(
      tools.map(({ name, inputSchema }) => [name, { inputSchema, execute: (args) => call(name, args) }]),
    ),
    // The host's sandbox; a context of Node keeps nothing out, and a test needs nothing more.
    executor: {
      async execute(code, [codemode]) {
        try {
          return { result: await new Script(`(${code})()`).runInContext(createContext({ codemode: codemode?.fns })) };
        } catch (error) {
          return { result: undefined, error: String((error as { readonly message?: unknown }).message) };
        }
      },
    },
  });
}

async function call(name: string, args: Record<string, unknown>): Promise<unknown> {
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: args });
  if (isError === true) throw new Error((content as readonly { readonly text: string }[])[0]?.text);
  return structuredContent;
}

test("code that a model wrote calls the tools of a built service over MCP, by the declarations that it reads", async () => {
  const { description, execute } = await codeTool();
  expect(description).toContain("isPrime(args: {");
  expect(description).toContain("/** The number to test.");
  const code = `async () => {
    const first = await codemode.isPrime({ number: 997 });
    const others = await Promise.all([998, 999].map((number) => codemode.isPrime({ number })));
    return [first, ...others].filter(({ isPrime }) => isPrime).map(({ number }) => number);
  }`;
  expect(await execute({ code })).toEqual({ result: [997] });
});

test("arguments that the tool refuses are an error of the code, with the path, which a model can mend", async () => {
  const { execute } = await codeTool();
  const wrong = `async () => codemode.isPrime({ number: "997" })`;
  await expect(execute({ code: wrong })).rejects.toThrow(/^Code execution failed: .*\/number/s);
  const caught = `async () => {
    try { await codemode.isPrime({ number: 13 }); } catch (error) { return error.message; }
  }`;
  expect(await execute({ code: caught })).toEqual({ result: expect.stringContaining("13 is not asked for here.") });
});
