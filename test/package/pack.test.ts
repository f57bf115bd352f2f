import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { unpackExtension, v0_3 } from "@anthropic-ai/mcpb";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { officialSchema } from "../support/official-schema.ts";
import { type PackedProject, packedProject, serve } from "../support/packed-project.ts";

const source = `#!/usr/bin/env node
import { Service, startLambdaServer } from "tenon";
import { env } from "node:process";
/** Words in front of each greeting. */
const prefix = process.env.GREETING_PREFIX ?? "Hello";
const settings = {
  /** Key of the weather service. */
  key: process.env["WEATHER_API_KEY"]!,
  times: Number(env.GREETING_TIMES ?? 1),
};
const { GREETING_DIR } = process.env;
/**
 * Greets.
 * @tool
 * @schema urn:example:schema.greet.request.1
 * @param name The name of somebody.
 */
export function greet(name: string): string {
  return Array.from({ length: settings.times }, () => \`\${prefix} \${name}\${GREETING_DIR === "" ? "" : GREETING_DIR}\`).join(", ");
}
await startLambdaServer(new Service({ name: "Greetings", description: "Greets people. At length, if that is wished for." }));
`;
const packageJson = {
  name: "@ada/greetings",
  version: "1.2.3",
  type: "module",
  mcpName: "io.github.ada/greetings",
  author: "Ada <ada@example.org> (https://ada.example.org)",
  repository: "ada/greetings",
  homepage: "https://ada.example.org/greetings",
  bin: "dist/service.mjs",
};

let user: PackedProject;
beforeAll(() => {
  user = packedProject({ "src/service.ts": source, "package.json": JSON.stringify(packageJson) });
  expect(user.tenon("generate")).toMatchObject({ status: 0 });
});
afterAll(() => user.dispose());

/** Runs with other fields in package.json. */
function withPackage<T>(change: object, run: () => T): T {
  user.write({ "package.json": JSON.stringify({ ...packageJson, ...change }) });
  try {
    return run();
  } finally {
    user.write({ "package.json": JSON.stringify(packageJson) });
  }
}

describe("mcpb", () => {
  let unpacked: string;
  let manifest: Record<string, unknown>;
  beforeAll(async () => {
    const packed = user.tenon("pack", "mcpb", "--json");
    expect(packed).toMatchObject({ status: 0 });
    const { file, sha256 } = JSON.parse(packed.stdout) as { file: string; sha256: string };
    expect(file).toBe(join(user.root, "greetings-1.2.3.mcpb"));
    expect(JSON.parse(user.tenon("pack", "mcpb", "--json").stdout)).toMatchObject({ sha256 });
    unpacked = join(user.root, "unpacked");
    mkdirSync(unpacked);
    expect(await unpackExtension({ mcpbPath: file, outputDir: unpacked, silent: true })).toBe(true);
    manifest = JSON.parse(readFileSync(join(unpacked, "manifest.json"), "utf8")) as typeof manifest;
  });

  test("the official tool takes the bundle, and the official schema its manifest", () => {
    expect(v0_3.McpbManifestSchema.safeParse(manifest)).toMatchObject({ success: true });
    expect(manifest).toMatchObject({
      name: "greetings",
      display_name: "Greetings",
      version: "1.2.3",
      author: { name: "Ada", email: "ada@example.org" },
      server: { type: "node", entry_point: "dist/service.mjs" },
      tools: [{ name: "greet", description: "Greets." }],
    });
  });

  test("each variable that the code reads is asked for, with what the code says of it", () => {
    expect(manifest["user_config"]).toEqual({
      greeting_dir: expect.objectContaining({ type: "directory", required: false, default: "" }) as unknown,
      greeting_prefix: {
        type: "string",
        title: "Greeting prefix",
        description: "Words in front of each greeting.",
        required: false,
        default: "Hello",
      },
      greeting_times: expect.objectContaining({ type: "number", required: false, default: 1 }) as unknown,
      weather_api_key: {
        type: "string",
        title: "Weather API key",
        description: "Key of the weather service.",
        required: true,
        sensitive: true,
      },
    });
  });

  test("what was unpacked answers a client, from that folder alone", async () => {
    const { mcp_config: config } = manifest["server"] as {
      mcp_config: { args: string[]; env: Record<string, string> };
    };
    const args = config.args.map((word) => word.replace("${__dirname}", unpacked));
    const env = { GREETING_PREFIX: "Hi", GREETING_TIMES: "2", GREETING_DIR: "!" };
    expect(Object.keys(config.env).toSorted()).toEqual(expect.arrayContaining(Object.keys(env).toSorted()));
    const client = new Client({ name: "test", version: "1" });
    await client.connect(new StdioClientTransport({ command: process.execPath, args, env, cwd: unpacked }));
    try {
      expect(await client.callTool({ name: "greet", arguments: { name: "Ada" } })).toMatchObject({
        content: [{ type: "text", text: "Hi Ada!, Hi Ada!" }],
      });
    } finally {
      await client.close();
    }
  });

  test("a bundle that nobody stands for is refused", () => {
    const { status, stderr } = withPackage({ author: undefined }, () => user.tenon("pack", "mcpb"));
    expect([status, stderr]).toEqual([1, expect.stringContaining("add `author` to package.json") as unknown]);
  });
});

describe("server-json", () => {
  const written = (): Record<string, unknown> => JSON.parse(user.read("server.json")) as Record<string, unknown>;
  beforeAll(() => {
    const url = "https://example.org/greetings-1.2.3.mcpb";
    const words = ["--remote", "https://tools.example.org/mcp", "--mcpb", url];
    expect(user.tenon("pack", "server-json", ...words)).toMatchObject({ status: 0 });
  });

  test("the package, the bundle, the address and the variables", () => {
    expect(written()).toMatchObject({
      name: "io.github.ada/greetings",
      title: "Greetings",
      description: "Greets people. At length, if that is wished for.",
      version: "1.2.3",
      repository: { url: "https://github.com/ada/greetings", source: "github" },
      websiteUrl: "https://ada.example.org/greetings",
      packages: [
        {
          registryType: "npm",
          identifier: "@ada/greetings",
          environmentVariables: [
            { name: "GREETING_DIR", format: "filepath" },
            { name: "GREETING_PREFIX", default: "Hello" },
            { name: "GREETING_TIMES", format: "number" },
            { name: "WEATHER_API_KEY", isRequired: true, isSecret: true },
          ],
        },
        { registryType: "mcpb", fileSha256: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown },
      ],
      remotes: [{ type: "streamable-http", url: "https://tools.example.org/mcp" }],
    });
  });

  const judge = officialSchema("server.schema.json");
  test.skipIf(judge === undefined)("the official schema takes it (TENON_SCHEMAS names a folder with it)", () => {
    expect(judge?.(written())).toEqual([]);
    expect(judge?.({ ...written(), name: "greetings" })).not.toEqual([]);
  });

  test("tenon check says when it has drifted, and packing again keeps what a person wrote", () => {
    expect(user.tenon("check")).toMatchObject({
      status: 0,
      stderr: expect.stringContaining("server.json is up to date") as unknown,
    });
    const server = written();
    const icons = [{ src: "https://ada.example.org/icon.png" }];
    user.write({ "server.json": JSON.stringify({ ...server, icons, title: "Something else" }, null, 2) });
    const drifted = user.tenon("check");
    expect([drifted.status, drifted.stderr]).toEqual([
      1,
      expect.stringMatching(
        /server\.json is stale:[^]*- +"title": "Something else"[^]*tenon pack server-json/,
      ) as unknown,
    ]);
    expect(JSON.parse(user.tenon("check", "--json").stdout)).toMatchObject({
      current: true,
      others: [{ current: false }],
    });
    expect(user.tenon("pack", "server-json")).toMatchObject({ status: 0 });
    expect(written()).toMatchObject({
      icons,
      title: "Greetings",
      remotes: [{}],
      packages: [{}, { registryType: "mcpb" }],
    });
    expect(user.tenon("check")).toMatchObject({ status: 0 });
  });

  test("a bundle of an older version has to be packed again", () => {
    const { status, stderr } = withPackage({ version: "1.3.0" }, () => user.tenon("pack", "server-json"));
    expect([status, stderr]).toEqual([1, expect.stringMatching(/mcpb package is of version "1\.2\.3"/) as unknown]);
  });

  test("all that the registry would refuse is said at once", () => {
    const { status, stderr } = withPackage({ mcpName: undefined, bin: undefined }, () =>
      user.tenon("pack", "server-json"),
    );
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(/no `mcpName`[^]*"bin": \{"greetings"|"bin": \{"greetings"[^]*no `mcpName`/) as unknown,
    ]);
    const entry = user.read("src/service.ts");
    writeFileSync(join(user.root, "src/service.ts"), entry.replace(/^#!.*\n/, ""));
    expect(user.tenon("pack", "server-json").stderr).toContain("#!/usr/bin/env node");
    writeFileSync(join(user.root, "src/service.ts"), entry);
  });

  test.each([
    [["--output", "x"], "--output is not for `tenon pack server-json`"],
    [["--remote", "tools"], "is not an http address"],
    [["--env", "a b"], "is not a valid name of a variable"],
  ])("%j is a mistake that is told in one line", (words, text) => {
    expect(user.tenon("pack", "server-json", ...words)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining(text) as unknown,
    });
  });
});

describe("server card", () => {
  let served: Awaited<ReturnType<typeof serve>>;
  beforeAll(async () => {
    expect(user.tenon("build")).toMatchObject({ status: 0 });
    served = await serve(join(user.root, "dist/service.mjs"), ["--with-mcp"], { WEATHER_API_KEY: "k" });
  });
  afterAll(async () => void expect(await served.stop()).toBe(0));
  const judge = officialSchema("server-card.schema.json", "/$defs/ServerCard");

  test.each(["/mcp/server-card", "/.well-known/mcp/server-card.json"])("GET %s", async (path) => {
    const answer = await fetch(served.url + path);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/mcp-server-card+json"]);
    const card: unknown = await answer.json();
    expect(card).toMatchObject({
      name: "io.github.ada/greetings",
      title: "Greetings",
      version: "1.2.3",
      remotes: [{ type: "streamable-http", url: `${served.url}/mcp` }],
    });
    expect(judge?.(card) ?? []).toEqual([]);
    const tag = answer.headers.get("etag") ?? "";
    expect((await fetch(served.url + path, { headers: { "if-none-match": tag } })).status).toBe(304);
    expect((await fetch(served.url + path, { method: "POST" })).status).toBe(405);
  });

  test("the catalog of the host leads to it", async () => {
    const answer = await fetch(`${served.url}/.well-known/ai-catalog.json`);
    expect(answer.headers.get("content-type")).toBe("application/ai-catalog+json");
    expect(await answer.json()).toEqual({
      specVersion: "1.0",
      entries: [
        {
          identifier: "urn:air:ada.github.io:mcp:greetings",
          type: "application/mcp-server-card+json",
          url: `${served.url}/mcp/server-card`,
        },
      ],
    });
  });

  test("a protected service shows its card, with its public address, and nothing else", async () => {
    const auth = {
      TENON_AUTH_ISSUER: "https://login.example.org",
      TENON_AUTH_AUDIENCE: "https://tools.example.org/mcp",
    };
    const closed = await serve(join(user.root, "dist/service.mjs"), ["--with-mcp"], { WEATHER_API_KEY: "k", ...auth });
    try {
      const card = await fetch(`${closed.url}/mcp/server-card`);
      expect(await card.json()).toMatchObject({ remotes: [{ url: "https://tools.example.org/mcp" }] });
      expect((await fetch(`${closed.url}/tool`)).status).toBe(401);
    } finally {
      await closed.stop();
    }
  });
});
