import { createServer } from "node:net";
import { once } from "node:events";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { builtProject } from "../support/built-project.ts";
import { type PackedProject, type Served, packedProject, serve } from "../support/packed-project.ts";
import { primeFiles } from "../support/prime-project.ts";

let user: PackedProject;
let served: Served;
let entry: string;

beforeAll(async () => {
  user = builtProject(primeFiles);
  entry = join(user.root, "dist/service.mjs");
  served = await serve(entry);
});
afterAll(async () => {
  await served.stop();
  user.dispose();
});

interface Answer {
  readonly status: number;
  readonly problem: Record<string, unknown> & {
    readonly type: string;
    readonly errors?: readonly { path: string; message: string }[];
  };
}

async function send(path: string, init: RequestInit): Promise<Answer> {
  const response = await fetch(served.url + path, init);
  expect(response.headers.get("content-type")).toBe("application/problem+json");
  return { status: response.status, problem: (await response.json()) as Answer["problem"] };
}

function post(body: string, headers: Record<string, string> = {}): Promise<Answer> {
  return send("/tool", { method: "POST", headers: { "content-type": "application/json", ...headers }, body });
}

describe("a served tool answers bad input with a problem", () => {
  test.each([
    ["malformed JSON", '{"number": ', 400, "malformed-json"],
    ["an empty body", "", 400, "malformed-json"],
    ["a body of 600 nested lists", `{"number": ${"[".repeat(600)}${"]".repeat(600)}}`, 400, "bad-request"],
    ["a __proto__ key", '{"number": 1, "__proto__": {"admin": true}}', 400, "bad-request"],
    ["a number beyond all bounds", '{"number": 1e999}', 400, "bad-request"],
    ["a body above the limit", `{"number": 1, "pad": "${"x".repeat(1_100_000)}"}`, 413, "too-large"],
    ["a wrong type", '{"number": "997"}', 422, "validation"],
    ["a missing field", "{}", 422, "validation"],
    ["a list", "[]", 422, "validation"],
    ["a wrong $schema", '{"$schema": "urn:example:other", "number": 1}', 422, "validation"],
  ])("%s", async (_, body, status, kind) => {
    expect(await post(body)).toMatchObject({ status, problem: { type: `urn:platform:problem:${kind}`, status } });
  });

  test("a wrong $schema is reported at /$schema", async () => {
    const { problem } = await post('{"$schema": "urn:example:other", "number": 1}');
    expect(problem.errors?.map(({ path }) => path)).toEqual(["/$schema"]);
  });

  test.each([
    ["a job id that is none", { "job-id": "../../etc/passwd" }, 400, "bad-request"],
    ["a Timeout that is no number", { timeout: "soon" }, 400, "bad-request"],
    ["another content type", { "content-type": "text/plain" }, 415, "unsupported-media-type"],
    ["a compressed body", { "content-encoding": "gzip" }, 415, "unsupported-media-type"],
    ["a foreign origin", { origin: "http://evil.example" }, 403, "forbidden"],
  ])("%s", async (_, headers, status, kind) => {
    expect(await post('{"number": 1}', headers)).toMatchObject({
      status,
      problem: { type: `urn:platform:problem:${kind}` },
    });
  });

  test("an unknown path, an unknown job, a wrong method", async () => {
    expect(await send("/nothing", {})).toMatchObject({
      status: 404,
      problem: { type: "urn:platform:problem:not-found" },
    });
    expect(await send("/jobs/0191d3a2-0000-7000-8000-000000000000", {})).toMatchObject({ status: 404 });
    expect(await send("/tool", { method: "PUT" })).toMatchObject({
      status: 405,
      problem: { type: "urn:platform:problem:method-not-allowed" },
    });
  });
});

describe("a start that cannot succeed is one line and an exit code", () => {
  const start = (
    flags: readonly string[],
    env: Record<string, string> = {},
  ): { status: number | null; stderr: string } => {
    const { status, stderr } = user.node([entry, ...flags], { env });
    expect(stderr).not.toMatch(/^\s+at /m);
    return { status, stderr };
  };

  test.each([
    ["an unknown flag", ["--porrt", "1"], "--porrt"],
    ["a flag without its value", ["--port"], "--port"],
    ["a port that is none", ["--port", "99999"], "99999"],
    ["two flags that exclude one another", ["--with-mcp", "--with-mcp-stdio"], "--with-mcp-stdio"],
  ])("%s", (_, flags, named) => {
    const { status, stderr } = start(flags);
    expect(status).toBe(2);
    expect(stderr).toContain(named);
  });

  test("a port in use", async () => {
    const blocker = createServer().listen(0, "127.0.0.1");
    await once(blocker, "listening");
    const { port } = blocker.address() as { port: number };
    const { status, stderr } = start(["--host", "127.0.0.1", "--port", String(port)]);
    blocker.close();
    expect(status).toBe(1);
    expect(stderr).toContain(String(port));
  });

  test.each([
    ["a named resources file that is missing", { PLATFORM_RESOURCES_FILE: "nowhere.json" }, "nowhere.json"],
    ["a log level that is none", { PLATFORM_LOG_LEVEL: "LOUD" }, "LOUD"],
  ])("%s", (_, env, named) => {
    const { status, stderr } = start(["--print-service-description"], env);
    expect(status).toBe(1);
    expect(stderr).toContain(named);
  });
});

describe("a wrong program fails its build with a diagnostic", () => {
  const mistakes = `/** @schema urn:example:schema.a.1 */
export interface Marked {
  /** A field. */
  when: () => void;
}
export interface Unmarked {
  /** A field. */
  when: number;
}
/** Adds.
 * @tool */
function one(): void {}
/** Does.
 * @tool */
export function two(marked: Marked): void {}
/** Does.
 * @tool */
export function three(unmarked: Unmarked): void {}
/** @tool */
export function four(): void {}
one();
`;

  test.each([
    ["an entry without tools", { ...primeFiles, "src/is-prime.ts": "export {};\n" }, [/tool/]],
    [
      "several mistakes at once: not exported, a type that JSON cannot carry, no marker, no description",
      { ...primeFiles, "src/is-prime.ts": mistakes },
      [/src\/is-prime\.ts:12:10 {2}TN102/, /src\/is-prime\.ts:4:\d+ {2}TN301/, /TN201/, /TN202/],
    ],
  ])("%s", (_, files, expected) => {
    const broken = packedProject(files);
    try {
      const { status, stderr } = broken.tenon("build");
      for (const text of expected) expect(stderr).toMatch(text);
      expect(status).toBe(1);
      expect(stderr).not.toMatch(/^\s+at .*node_modules/m);
    } finally {
      broken.dispose();
    }
  });
});
