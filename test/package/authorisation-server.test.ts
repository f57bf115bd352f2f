/** docs/authorisation-server.md with the real server in a process of its own, and the official client of MCP. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBrowser } from "../support/browser.ts";
import { freePort } from "../support/free-port.ts";
import { RegisteringHost, signIn, tokenFor } from "../support/registering-host.ts";
import { type PackedProject, packedProject, serve, type Served } from "../support/packed-project.ts";

const page = readFileSync("docs/authorisation-server.md", "utf8");

/** The clock of a process goes back by an hour when it gets SIGUSR2, so that it makes tokens that have expired. */
const clock = `const real = Date.now;
process.on("SIGUSR2", () => { Date.now = () => real() - 3_600_000; console.log("an hour back"); });`;

let user: PackedProject;
let provider: ChildProcess;
let service: Served;
let ports: { readonly provider: number; readonly service: number; readonly mail: number };
const said: string[] = [];

/** A text of the page with the ports of this run. */
const placed = (text: string): string =>
  text
    .replaceAll("127.0.0.1:4000", `127.0.0.1:${ports.provider}`)
    .replaceAll("listen(4000", `listen(${ports.provider}`)
    .replaceAll("127.0.0.1:8090", `127.0.0.1:${ports.service}`)
    .replaceAll("127.0.0.1:8091", `127.0.0.1:${ports.mail}`);

beforeAll(async () => {
  ports = { provider: await freePort(), service: await freePort(), mail: await freePort() };
  const files = [...page.matchAll(/^```(?:js|ts)\n\/\/ (\S+)\n(.*?)^```/gms)];
  user = packedProject(
    Object.fromEntries(files.map(([, path = "", text = ""]) => [path, placed(text)])) as Record<string, string>,
    { packages: ["oidc-provider"] },
  );
  expect(user.tenon("build")).toMatchObject({ status: 0 });
  provider = spawn(
    process.execPath,
    ["--import", `data:text/javascript,${encodeURIComponent(clock)}`, "provider.mjs"],
    { cwd: user.root, stdio: ["ignore", "pipe", "ignore"], env: { PATH: process.env["PATH"] } },
  );
  if (provider.stdout === null) throw new TypeError("standard output is a pipe");
  const lines = createInterface({ input: provider.stdout }).on("line", (line) => said.push(line));
  const listens = new Promise((resolve) => lines.on("line", (line) => line.startsWith("listens") && resolve(line)));
  await listens;
  service = await serve(join(user.root, "dist/service.mjs"), ["--with-mcp", "--port", String(ports.service)]);
});
afterAll(async () => {
  await service.stop();
  const ended = once(provider, "exit");
  provider.kill("SIGTERM");
  await ended;
  user.dispose();
});

const address = (): URL => new URL(placed("http://127.0.0.1:8090/mcp"));
const issuer = (): string => placed("http://127.0.0.1:4000");

/** Status and challenge of a call with a token. */
async function callWith(tool: string, token?: string): Promise<readonly [number, string]> {
  const { status, headers } = await fetch(`${service.url}/tool/${tool}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...(token !== undefined && { authorization: `Bearer ${token}` }) },
    body: "{}",
  });
  return [status, headers.get("www-authenticate") ?? ""];
}

/** The row of the page about a kind of token: the status, and the parts of the challenge. */
function rowOf(kind: string): readonly [number, readonly string[]] {
  const row = page.split("\n").find((line) => line.startsWith(`| ${kind} | `)) ?? "";
  const [, answer = ""] = row.slice(2).split(" | ");
  const parts = [...answer.matchAll(/`([^`]+)`/g)].map(([, part = ""]) => placed(part));
  return [Number(answer.slice(0, 3)), parts];
}

async function expectRow(kind: string, tool: string, token?: string): Promise<void> {
  const [status, parts] = rowOf(kind);
  const [answered, challenge] = await callWith(tool, token);
  expect([answered, parts.length > 0]).toEqual([status, true]);
  expect(parts.filter((part) => !challenge.includes(part))).toEqual([]);
}

test("the official client finds the server, registers, signs in and calls", async () => {
  const ann = new RegisteringHost();
  const open = (): Client => new Client({ name: "test", version: "1" });
  const first = new StreamableHTTPClientTransport(address(), { authProvider: ann });
  await expect(open().connect(first)).rejects.toThrow("Unauthorized");
  const { searchParams } = ann.asked;
  expect(Object.fromEntries(searchParams)).toMatchObject({ resource: address().href, code_challenge_method: "S256" });
  expect(searchParams.get("scope")?.split(" ")).toEqual(expect.arrayContaining(["notes:read", "notes:write"]));
  await first.finishAuth(await signIn(ann.asked));
  const client = open();
  await client.connect(new StreamableHTTPClientTransport(address(), { authProvider: ann }));
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["listNotes", "addNote"]);
  await client.callTool({ name: "addNote", arguments: { text: "Milk" } });
  const { content } = await client.callTool({ name: "listNotes", arguments: {} });
  expect(JSON.stringify(content)).toContain("Milk");
  await client.close();
});

test("the console registers itself, signs in and calls", async () => {
  const browser = await openBrowser();
  try {
    const ui = await browser.newPage();
    const shows = (part: string | RegExp): Promise<void> =>
      expect.poll(() => ui.evaluate("document.body.innerText")).toMatch(part);
    await ui.goto(`${service.url}/docs#/tools/listNotes`);
    await ui.locator('::-p-aria([name="Sign in"][role="button"])').click();
    await ui.locator('input[name="login"]').fill("ann");
    await ui.locator('input[name="password"]').fill("any");
    await ui.locator("button[type=submit]").click();
    await shows("Continue");
    await ui.locator("button[type=submit]").click();
    await shows(/ann\s+Sign out(.|\n)*Lists the notes/);
    await ui.locator("button.primary").click();
    await shows(/Answer(.|\n)*200/i);
  } finally {
    await browser.close();
  }
});

test("the metadata names server, resource and scopes", async () => {
  const answer = await fetch(placed("http://127.0.0.1:8090/.well-known/oauth-protected-resource/mcp"));
  const { authorization_servers, resource, scopes_supported } = (await answer.json()) as Record<string, unknown>;
  expect([authorization_servers, resource]).toEqual([[issuer()], address().href]);
  expect(scopes_supported).toEqual(expect.arrayContaining(["notes:read", "notes:write"]));
});

test("no token, one of another API and one without the scope are answered as the page says", async () => {
  await expectRow("none", "listNotes");
  const mail = await tokenFor(issuer(), placed("http://127.0.0.1:8091/mcp"), "mail:read");
  await expectRow("for the other API", "listNotes", mail);
  const reader = await tokenFor(issuer(), address().href, "notes:read");
  expect((await callWith("listNotes", reader))[0]).toBe(200);
  await expectRow("without the scope of the tool", "addNote", reader);
});

test("an expired token is answered as the page says", async () => {
  provider.kill("SIGUSR2");
  await expect.poll(() => said, { interval: 20 }).toContain("an hour back");
  const token = await tokenFor(issuer(), address().href, "notes:read");
  await expectRow("expired more than 30 s ago", "listNotes", token);
});
