/**
 * `npm run hosts`: clients of other makers list and call the tools of a built service, over HTTP and stdio, and
 * docs/mcp.md tells which of them did. The clients are a package of their own in `test/clients`, which this script
 * installs; npx fetches the inspector. `--check` writes nothing. Exits with 1 when one of them failed.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { buildFixture, startFixture, stdioCommand } from "./conformance/fixture-service.ts";
import { startRecorder } from "./conformance/record-messages.ts";

interface ClientKind {
  readonly title: string;
  /** Name of the package, for its version. */
  readonly from: string;
  /** Script in `test/clients`. */
  readonly script: string;
  /** Command that makes an HTTP service one over stdio. */
  readonly proxy?: readonly string[];
  readonly inspector?: "modern" | "legacy";
}

const folder = "test/clients";
const inspector = "@modelcontextprotocol/inspector@2.12.0";
const kinds: readonly ClientKind[] = [
  { title: "official SDK 2", from: "@modelcontextprotocol/client", script: "sdk-2" },
  { title: "official SDK 1", from: "@modelcontextprotocol/sdk", script: "sdk-1" },
  { title: "AI SDK", from: "@ai-sdk/mcp", script: "ai-sdk" },
  { title: "LangChain", from: "@langchain/mcp-adapters", script: "langchain" },
  { title: "mcp-use", from: "mcp-use", script: "mcp-use" },
  {
    title: "mcp-remote",
    from: "mcp-remote",
    script: "sdk-1",
    proxy: [`${folder}/node_modules/mcp-remote/dist/proxy.js`],
  },
  { title: "inspector, newest revision", from: "", script: "", inspector: "modern" },
  { title: "inspector, older revisions", from: "", script: "", inspector: "legacy" },
];

/** A client's answer, or the reason why there is none. */
interface Outcome {
  readonly failure?: string;
}

if (!existsSync(`${folder}/node_modules`)) {
  const { status } = spawnSync("npm", ["ci", "--ignore-scripts", "--prefix", folder], { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}
buildFixture();
const service = await startFixture();
const rows: string[] = [];
try {
  for (const kind of kinds) {
    const recorder = await startRecorder(service.url);
    const http = await outcomeOf(kind, { transport: "http", url: recorder.url });
    const revision = revisionOf(recorder.messages);
    await recorder.stop();
    const [command = "", ...args] = stdioCommand;
    const stdio = kind.proxy === undefined ? await outcomeOf(kind, { transport: "stdio", command, args }) : undefined;
    for (const [transport, outcome] of Object.entries({ HTTP: http, stdio })) {
      console.log(
        `${outcome?.failure === undefined ? "ok    " : "FAILED"} ${kind.title} ${transport} ${outcome?.failure ?? ""}`,
      );
      if (outcome?.failure !== undefined) process.exitCode = 1;
    }
    rows.push(`| ${[kind.title, versionOf(kind), revision, wordOf(http), wordOf(stdio)].join(" | ")} |`);
  }
} finally {
  await service.stop();
}
if (!process.argv.includes("--check")) {
  const page = readFileSync("docs/mcp.md", "utf8");
  const table = ["| Client | Version | Revision | HTTP | stdio |", "|---|---|---|---|---|", ...rows].join("\n");
  const section = /(<!-- hosts -->\n)[\s\S]*?(<!-- \/hosts -->)/;
  writeFileSync(
    "docs/mcp.md",
    page.replace(section, (_, start: string, end: string) => `${start}${table}\n${end}`),
  );
}

/** Lets a client list the tools, call one, and call it wrongly. */
async function outcomeOf(
  kind: ClientKind,
  request: { transport: string; url?: string; command?: string; args?: readonly string[] },
): Promise<Outcome> {
  const { proxy, script, inspector: era } = kind;
  if (era !== undefined) return inspect(era, request.url);
  const asked =
    proxy === undefined
      ? request
      : { transport: "stdio", command: process.execPath, args: [...proxy, request.url, "--allow-http"] };
  const { status, stdout, stderr } = await run(process.execPath, [`${folder}/${script}.mjs`, JSON.stringify(asked)]);
  if (status !== 0) return { failure: stderr.trim().split("\n").slice(-3).join(" ") };
  const {
    tools,
    text: said,
    failure,
  } = JSON.parse(stdout.trim().split("\n").at(-1) ?? "{}") as Readonly<Record<string, unknown>>;
  const names = Array.isArray(tools) ? tools.map(String) : [];
  if (!names.some((name) => name.endsWith("greet"))) return { failure: `greet is not among ${names.length} tools` };
  if (said !== "Hello, hosts!") return { failure: `the answer was ${JSON.stringify(said)}` };
  // LangChain checks arguments itself.
  return /name|expected schema/.test(String(failure))
    ? {}
    : { failure: `a wrong call was answered ${JSON.stringify(failure)}` };
}

async function inspect(era: string, url: string | undefined): Promise<Outcome> {
  const target = url === undefined ? stdioCommand : [url, "--transport", "http"];
  const call = ["--method", "tools/call", "--tool-name", "greet", "--tool-arg", "name=hosts"];
  const words = ["-y", inspector, "--cli", ...target, "--protocol-era", era, ...call, "-q", "--format", "json"];
  const { status, stdout, stderr } = await run("npx", words);
  return status === 0 && stdout.includes("Hello, hosts!") ? {} : { failure: `${stdout}${stderr}`.trim().slice(-300) };
}

async function run(
  command: string,
  words: readonly string[],
): Promise<{ status: number | null; stdout: string; stderr: string }> {
  const child = spawn(command, words, { stdio: ["ignore", "pipe", "pipe"] });
  const closed = once(child, "close") as Promise<[number | null]>;
  const [stdout, stderr, [status]] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
  return { status, stdout, stderr };
}

/** The revision that a client spoke in the end. */
function revisionOf(messages: Awaited<ReturnType<typeof startRecorder>>["messages"]): string {
  const call = messages.find(({ body }) => body.includes('"tools/call"'));
  return String(call?.headers["mcp-protocol-version"] ?? "not said");
}

function versionOf({ from, inspector: era }: ClientKind): string {
  if (era !== undefined) return inspector.split("@").at(-1) ?? "";
  const file =
    [folder, "."].map((root) => `${root}/node_modules/${from}/package.json`).find((path) => existsSync(path)) ?? "";
  return (JSON.parse(readFileSync(file, "utf8")) as { readonly version: string }).version;
}

function wordOf(outcome: Outcome | undefined): string {
  if (outcome === undefined) return "–";
  return outcome.failure === undefined ? "yes" : "no";
}
