import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { say } from "../../cli/base/output.ts";
import { CommandError, UsageError } from "../../cli/base/usage.ts";
import { commands } from "../../cli/command-list.ts";
import { parts } from "../../cli/commands/platform.ts";

/** Commands that print texts of a service or a platform, against a server whose every text is hostile. */

/** A colour that the command line has no use for, a line end of each kind, a title, and other control characters. */
const hostile = "a\u001B[95mb\r\nFORGED line\rFORGED\u001B]0;owned\u0007\u009B2J\u2028c\u202Ed\u0000";
const id = `urn:platform:job:1${hostile}`;

const job = {
  id,
  status: "failed",
  "service-name": hostile,
  tool: `${hostile}2`,
  "requested-at": hostile,
  "ended-at": hostile,
  "error-message": hostile,
  "dead-letter": true,
  "log-tail": [hostile],
  "job-id": id,
  error: { errors: [{ path: hostile, message: hostile }] },
};
const schedule = {
  tool: hostile,
  number: hostile,
  cron: hostile,
  zone: hostile,
  paused: false,
  next: hostile,
  last: hostile,
  "last-job": { status: hostile },
};
const figures = { waiting: hostile, running: hostile, dead: hostile, held: hostile };
const line = { tool: hostile, limit: hostile, held: hostile, "oldest-held-seconds": hostile };
const definition = {
  name: hostile,
  version: hostile,
  tools: [{ name: hostile, path: `/${hostile}`, description: hostile, "request-schema": {}, "result-schema": {} }],
};

/** Answers by the beginning of a path; the first that fits. */
const answers: readonly (readonly [RegExp, unknown])[] = [
  [
    /^\/queue$/,
    { services: { [hostile]: { tools: { [hostile]: figures } } }, limits: [line, { ...line, key: hostile }] },
  ],
  [/^\/queue\//, { cancelled: { held: hostile, running: hostile } }],
  [/^\/schedules$/, { items: [schedule] }],
  [/^\/schedules\//, schedule],
  [/^\/openapi\.json$/, { paths: { "/a": { post: { operationId: "a" } }, "/b": { post: { operationId: hostile } } } }],
  [/^\/service\.json$/, definition],
  [/^\/services2\?/, { items: [{ key: hostile }, { key: `${hostile}2` }] }],
  [/^\/(?:services2\/[^/]*\/)?jobs\?/, { items: [job, { ...job, id: "urn:platform:job:22222222" }] }],
  [/^\/dead-letters/, { items: [job] }],
  [/^\/artifacts\?/, { items: [{ id, name: hostile, status: hostile, size: 1, "content-type": hostile }] }],
  [/^\/artifacts$/, { id }],
  [/^\//, job],
];
const events = [
  { type: "platform.job.event", data: { name: hostile, options: { message: hostile, [hostile]: hostile } } },
  { type: "platform.job.event", data: { progress: 1, message: hostile } },
  { type: "platform.job.status", data: { status: hostile, attempt: 2 } },
  { type: "platform.job.status", data: { status: "failed", "error-message": hostile } },
].map((event) => ({ ...event, service: hostile, "job-urn": id }));

const server = createServer((request, response) => void answer(request.method ?? "", request.url ?? "", response));

async function answer(method: string, url: string, response: ServerResponse): Promise<void> {
  const [, base = "", path = ""] = /^\/(good|refused|words)(.*)$/.exec(url) ?? [];
  await text(response.req);
  response.setHeader("content-type", "application/json");
  if (base === "refused") {
    const problem = { detail: hostile, message: hostile, errors: [{ path: hostile, message: hostile }] };
    response.writeHead(422).end(JSON.stringify(problem));
  } else if (base === "words") {
    response.writeHead(500, { "content-type": "text/plain" }).end(hostile);
  } else if (/^\/(?:live|jobs\/[^/]+\/events)/.test(path)) {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(events.map((event, index) => `id: ${index + 1}\ndata: ${JSON.stringify(event)}\n\n`).join(""));
  } else if (method === "GET" && /^\/artifacts\/./.test(path)) {
    // The cut is in the middle of a character.
    const bytes = Buffer.from(`é${hostile}`);
    response.writeHead(200, { "content-type": "text/plain" }).write(bytes.subarray(0, 1));
    setTimeout(() => response.end(bytes.subarray(1)), 20);
  } else if (method === "POST" && path.startsWith("/services2/")) {
    response.writeHead(202, { "platform-job-id": "urn:platform:job:3" }).end();
  } else {
    const [, body] = answers.find(([pattern]) => pattern.test(path)) ?? [];
    response.end(JSON.stringify(body));
  }
}

beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const file = import.meta.filename;

/** Command lines of every command that asks a running service or platform. */
const lines: readonly (readonly string[])[] = [
  ["queue"],
  ["queue", "drain", "a"],
  ["queue", "cancel", "a"],
  ["schedules"],
  ["schedules", "pause", "a"],
  ["call", "a", "{}"],
  ["call", "c", "{}"],
  ["call", "a", "{}", "--mcp"],
  ["platform", "submit", "{}"],
  ["platform", "submit", "a", "{}"],
  ["platform", "submit", "a", "{}", "--detach"],
  ["platform", "jobs"],
  ["platform", "jobs", "--service", "a"],
  ["platform", "jobs", "22222222"],
  ["platform", "jobs", "--dead"],
  ["platform", "watch"],
  ["platform", "watch", "urn:platform:job:1"],
  ["platform", "artifacts"],
  ["platform", "artifacts", "urn:platform:artifact:1"],
  ["platform", "artifacts", "--upload", file],
  ["platform", "redrive"],
  ["platform", "redrive", "22222222"],
  ["platform", "send", "22222222", "a", "{}"],
  ["platform", "fork", "22222222"],
];

/** Commands that print texts of the user's own project or processes; `client` and `check` have tests of their own. */
const others: ReadonlySet<string> = new Set(
  (
    "adopt build check client dev eval explain generate init inspect install lsp pack platform store " +
    "platform+serve platform+replay"
  )
    .split(" ")
    .map((words) => words.replace("+", " ")),
);

test("every command is in the table, or asks no service", () => {
  const all = [...Object.keys(commands), ...Object.keys(parts).map((part) => `platform ${part}`)];
  const tested = new Set(lines.flatMap(([command = "", part = ""]) => [command, `${command} ${part}`]));
  expect(all.filter((command) => !tested.has(command) && !others.has(command))).toEqual([]);
});

interface Said {
  readonly out: string;
  readonly err: string;
}

/** Runs a command in this process as cli/main.ts does. */
async function run([command = "", ...words]: readonly string[], base: string, terminal: boolean): Promise<Said> {
  const said = { out: [] as Buffer[], err: [] as Buffer[] };
  const spies = (["stdout", "stderr"] as const).map((name) => {
    const list = name === "stdout" ? said.out : said.err;
    return vi.spyOn(process[name], "write").mockImplementation((part) => list.push(Buffer.from(part as string)) > 0);
  });
  const wasTerminal = [process.stdout.isTTY, process.stderr.isTTY];
  process.stdout.isTTY = process.stderr.isTTY = terminal;
  try {
    const { port } = server.address() as AddressInfo;
    await (await commands[command]?.load())?.run([...words, "--url", `http://127.0.0.1:${port}/${base}`]);
  } catch (error) {
    if (!(error instanceof CommandError) && !(error instanceof UsageError)) throw error;
    say(`tenon: ${error.message}`);
  } finally {
    [process.stdout.isTTY, process.stderr.isTTY] = wasTerminal as [boolean, boolean];
    for (const spy of spies) spy.mockRestore();
  }
  return { out: Buffer.concat(said.out).toString(), err: Buffer.concat(said.err).toString() };
}

function withEnv(name: string, value: string | undefined): void {
  vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
}

/** Colours of the command line itself. */
const ownColours = new RegExp(String.raw`${"\u001B"}\[(?:1|2|22|3[1236]|39)m`, "g");
const control = /(?!\n)\p{Cc}|[\u2028\u202E]/u;

describe.each(["good", "refused", "words"])("answers: %s", (base) => {
  test.each(lines.map((words) => [words.join(" ").replace(file, "FILE"), words] as const))(
    "tenon %s: no text of the service controls the terminal, or makes up lines",
    async (_, words) => {
      withEnv("FORCE_COLOR", "1");
      withEnv("NO_COLOR", "");
      const { out, err } = await run(words, base, true);
      const shown = (out + err).replaceAll(ownColours, "");
      expect(shown).not.toMatch(control);
      // The content of an artifact has its line ends.
      const isContent = words[2]?.startsWith("urn:platform:artifact") === true && base === "good";
      expect(/^FORGED/m.test(shown)).toBe(isContent);
      expect(shown).not.toContain("\uE000");
    },
  );
});

test("a list into a pipe has a row for each item, without colours or control characters", async () => {
  withEnv("FORCE_COLOR", undefined);
  withEnv("NO_COLOR", "");
  const { out } = await run(["platform", "jobs"], "good", false);
  expect(out.trimEnd().split("\n")).toHaveLength(2);
  expect(out).not.toMatch(control);
});

test.each([["queue"], ["schedules"], ["platform", "jobs"], ["platform", "artifacts"], ["platform", "redrive"]])(
  "--json of %s %s has the exact texts",
  async (...words) => {
    const { out } = await run([...words, "--json"], "good", false);
    const texts: unknown[] = [];
    JSON.parse(out, (key, value: unknown) => {
      texts.push(key, value);
      return value;
    });
    expect(texts).toContain(hostile);
  },
);

test("an artifact's content: exact bytes into a pipe; line feeds and tabs on a terminal, the rest visible", async () => {
  const words = ["platform", "artifacts", "urn:platform:artifact:1"];
  expect((await run(words, "good", false)).out).toBe(`é${hostile}`);
  expect((await run(words, "good", true)).out).toBe(
    String.raw`éa\u001b[95mb\u000d` +
      "\n" +
      String.raw`FORGED line\u000dFORGED\u001b]0;owned\u0007\u009b2J\u2028c\u202ed\u0000`,
  );
});
