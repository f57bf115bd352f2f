import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { recordedJob } from "../../../../../runtime/kits/testing/index.ts";
import type { LlmClient, LlmOptions } from "../../../../../runtime/outside/llm/openai-types.ts";
import { importOpenaiFrom, openaiVersions } from "../../../../support/openai-versions.ts";
import { flushLogs, loggingInit } from "../../../../../runtime/telemetry/log/logging.ts";

const hello = [{ role: "user" as const, content: "hello" }];
const body = { model: "m-1", messages: hello };
const json = { "content-type": "application/json" };
const events = { "content-type": "text/event-stream" };
const mebibyte = Buffer.alloc(1024 * 1024, "x");
let lines: string[] = [];

beforeEach(() => {
  lines = [];
  loggingInit({ write: (line) => lines.push(line) });
});
afterEach(() => {
  loggingInit({ write: () => {} });
});

type Answer = (response: ServerResponse, request: IncomingMessage) => unknown;

/** Starts a server; returns its origin and what it was asked. */
async function serve(answer: Answer): Promise<{ readonly origin: string; readonly asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    request.resume().on("end", () => void answer(response, request));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

async function clientOf(origin: string, options: LlmOptions = {}): Promise<LlmClient> {
  return recordedJob().job.llmClient({ apiKey: "k", baseURL: `${origin}/v1`, maxRetries: 0, ...options });
}

/** Writes until the reader has gone; `end` is written after that many mebibytes. */
function flood(response: ServerResponse, mebibytes: number = Infinity, end = ""): void {
  let sent = 0;
  const write = (): void => {
    while (!response.destroyed) {
      if (sent++ >= mebibytes) return void response.end(end);
      if (!response.write(mebibyte)) return void response.once("drain", write);
    }
  };
  write();
}

const failureOf = (asked: PromiseLike<unknown>): Promise<Error> =>
  Promise.resolve(asked).then(
    () => new Error("no failure"),
    (error: unknown) => error as Error,
  );

async function read(llm: LlmClient): Promise<number> {
  let count = 0;
  for await (const _piece of await llm.chat.completions.create({ ...body, stream: true })) count++;
  return count;
}

describe.each(openaiVersions)("with openai %i", (version, path) => {
  importOpenaiFrom(path);

  test("a key that a server quotes is in no log, wherever it came from, also in base64", async () => {
    const quoted: string[] = [];
    const { origin } = await serve((response, { headers }) => {
      const key = String(headers.authorization).replace("Bearer ", "");
      quoted.push(key);
      const message = `Wrong key ${key} (${Buffer.from(key).toString("base64")})`;
      response.writeHead(401, json).end(JSON.stringify({ error: { message } }));
    });
    let made = 0;
    const options: LlmOptions[] = [
      { apiKey: `canary-option-${version}` },
      { apiKey: () => Promise.resolve(`canary-function-${version}-${(made += 1)}`) },
    ];
    for (const option of options) {
      const { job } = recordedJob();
      const llm = await job.llmClient({ ...option, baseURL: `${origin}/v1` });
      for (const _time of [1, 2]) {
        const error = await failureOf(llm.chat.completions.create(body));
        expect(error.message).toContain("canary");
        job.logger.error(error);
      }
      const other = llm.withOptions({ apiKey: `canary-other-${version}` });
      job.logger.error(await failureOf(other.chat.completions.create(body)));
    }
    await flushLogs();
    const text = lines.join("");
    expect(quoted).toHaveLength(6);
    for (const key of quoted) {
      expect(text).not.toContain(key);
      expect(text).not.toContain(Buffer.from(key).toString("base64").slice(0, 12));
    }
    expect(text).toContain("Wrong key [redacted] ([redacted]");
  });

  test("the placeholder and the job's own token do not become secrets of the process", async () => {
    const { origin } = await serve((response) => response.writeHead(401, json).end("{}"));
    const { job } = recordedJob({ authorization: "Bearer token-of-the-job" });
    const llm = await job.llmClient({ apiKey: "token-of-the-job", baseURL: `${origin}/v1` });
    await failureOf(llm.chat.completions.create(body));
    for (const apiKey of ["not-needed", "ollama"])
      await failureOf(llm.withOptions({ apiKey }).chat.completions.create(body));
    recordedJob().job.logger.info("token-of-the-job not-needed ollama");
    await flushLogs();
    expect(lines.join("")).toContain("token-of-the-job not-needed ollama");
  });

  test.each([302, 303, 307, 308])("a redirect with status %i is refused and not followed", async (status) => {
    const sidecar = await serve((response) => response.writeHead(200, json).end("{}"));
    const { origin, asked } = await serve((response) =>
      response.writeHead(status, { location: `${sidecar.origin}/next_job?secret=1` }).end(),
    );
    const llm = await clientOf(origin, { maxRetries: 2 });
    const error = await failureOf(llm.chat.completions.create(body));
    expect(error).toMatchObject({
      status,
      message:
        `The request to the language model m-1 at ${origin} failed: ${status} The server redirects to ` +
        `${sidecar.origin}/next_job, and redirects are never followed. Check the base URL.`,
    });
    await expect(llm.models.list()).rejects.toThrow("redirects are never followed");
    expect([asked.length, sidecar.asked]).toEqual([2, []]);
  });

  test.skipIf(version === 6)("a client with a workload identity has the same limits and secrets", async () => {
    const asked: (readonly [host: string, redirect: unknown])[] = [];
    const llm = await recordedJob().job.llmClient({
      workloadIdentity: {
        identityProviderId: "p",
        serviceAccountId: "s",
        provider: { tokenType: "jwt", getToken: () => Promise.resolve("subject") },
      },
      baseURL: "http://model.test/v1",
      fetch: (url, init) => {
        const { hostname } = new URL(String(url));
        asked.push([hostname, init?.redirect]);
        const answer =
          hostname === "model.test" ? { choices: [] } : { access_token: "canary-exchanged", expires_in: 3600 };
        return Promise.resolve(Response.json(answer));
      },
    });
    await llm.chat.completions.create(body);
    expect(asked.at(-1)).toEqual(["model.test", "manual"]);
    recordedJob().job.logger.info("it is canary-exchanged");
    await flushLogs();
    expect(lines.join("")).toContain("it is [redacted]");
  });

  test("an endless answer, error page or event ends at the limit", async () => {
    const { origin } = await serve((response, { url = "" }) => {
      if (url.startsWith("/page")) return flood(response.writeHead(500, json));
      if (url.startsWith("/json")) return flood(response.writeHead(200, json));
      response.writeHead(200, events).write("data: ");
      flood(response);
    });
    const at = `The request to the language model m-1 at ${origin} failed: `;
    const client = (place: string): Promise<LlmClient> => clientOf(`${origin}/${place}`);
    const ask = async (place: string): Promise<string> =>
      (await failureOf((await client(place)).chat.completions.create(body))).message;
    expect(await ask("json")).toBe(`${at}the answer has more than 64 MiB`);
    expect(await ask("page")).toBe(`${at}500 the answer has more than 64 MiB`);
    // A stream that was not asked for is read as a whole.
    expect(await ask("event")).toBe(`${at}the answer has more than 64 MiB`);
    expect((await failureOf(read(await client("event")))).message).toBe(
      `${at}an event of the streamed answer has more than 16 MiB`,
    );
  });

  test.each(["\n", "\r\n"])("a long stream of small events has no limit (%j)", async (end) => {
    const event = `data: ${JSON.stringify({ choices: [], text: "x".repeat(1024 * 1024) })}${end}${end}`;
    const { origin } = await serve((response) => {
      response.writeHead(200, events);
      let sent = 0;
      const write = (): void => {
        while (sent++ < 20) if (!response.write(event)) return void response.once("drain", write);
        response.end(`data: [DONE]${end}${end}`);
      };
      write();
    });
    expect(await read(await clientOf(origin))).toBe(20);
  });

  test("the content of a file has no limit", async () => {
    const { origin } = await serve((response) => flood(response.writeHead(200), 70));
    const content = await (await clientOf(origin)).files.content("f");
    expect((await content.arrayBuffer()).byteLength).toBe(70 * 1024 * 1024);
  });

  test("errors name server, model and reason, and stay what they were", async () => {
    const { origin } = await serve((response, { url = "" }) => {
      if (url.startsWith("/bad")) return response.writeHead(200, json).end("oh no");
      if (url.startsWith("/busy")) return response.writeHead(429, json).end('{"error":{"message":"Slow down."}}');
      response.writeHead(200, { ...(url.startsWith("/cut") ? json : events), "content-length": 100 });
      return response.write("data: {}\n\n", () => response.destroy());
    });
    const named = `The request to the language model m-1 at ${origin} failed: `;
    const ask = async (place: string): Promise<Error> =>
      failureOf((await clientOf(`${origin}/${place}`)).chat.completions.create(body));
    const busy = await ask("busy");
    expect(busy).toMatchObject({ status: 429, message: `${named}429 Slow down.` });
    expect(busy.constructor.name).toBe("RateLimitError");
    expect(busy.stack).toContain(busy.message);
    const bad = await ask("bad");
    expect(bad).toBeInstanceOf(SyntaxError);
    expect(bad.message).toMatch(`${named}Unexpected token`);
    expect((await ask("cut")).message).toMatch(new RegExp(`^${named}terminated: .+`));
    expect((await failureOf(read(await clientOf(`${origin}/stream`)))).message).toMatch(`${named}terminated: `);
  });

  test("a reason with a secret in it is not said twice", async () => {
    const key = "key-9182736455";
    const { origin } = await serve((response) =>
      response.writeHead(401, json).end(JSON.stringify({ error: { message: `Wrong key ${key}` } })),
    );
    const { job } = recordedJob();
    const llm = await job.llmClient({ apiKey: key, baseURL: `${origin}/v1`, maxRetries: 0 });
    const { message } = await failureOf(llm.chat.completions.create(body));
    expect(message.split("Wrong key")).toHaveLength(2);
  });

  test("errors of a connection name server and reason, without a password", async () => {
    const closed = createServer().listen(0, "127.0.0.1");
    await once(closed, "listening");
    const { port } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));
    const ask = async (userinfo: string): Promise<Error> =>
      failureOf((await clientOf(`http://${userinfo}127.0.0.1:${port}`)).chat.completions.create(body));
    const named = `The request to the language model m-1 at http://127.0.0.1:${port} failed: Connection error: `;
    const gone = await ask("");
    expect(gone.message).toBe(`${named}connect ECONNREFUSED 127.0.0.1:${port}`);
    expect(gone.cause).toBeInstanceOf(Error);
    // `fetch` refuses such an address, and shows it.
    const { message } = await ask("user:pass@");
    expect(message).toContain(named);
    expect(message).not.toContain("pass");
  });
});
