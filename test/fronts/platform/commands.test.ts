import { execFileSync, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { run } from "../../../cli/commands/platform.ts";
import { tellWaiting } from "../../../cli/platform/submit.ts";
import { loggingInit } from "../../../runtime/telemetry/log/logging.ts";
import { ToolError, ValueError } from "../../../runtime/base/errors.ts";
import { bareEnv } from "../../support/bare-env.ts";
import { callAbout, fetchJob, jobOf, localPlatform, submit, worker } from "../../support/local-platform.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

loggingInit({ write() {} });

const main = join(import.meta.dirname, "../../../cli/main.ts");

interface Said {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a part of the command in this process. */
async function tenon(...words: readonly string[]): Promise<Said> {
  const said = { out: [] as unknown[], err: [] as unknown[] };
  const out = vi.spyOn(process.stdout, "write").mockImplementation((text) => said.out.push(text) > 0);
  const err = vi.spyOn(process.stderr, "write").mockImplementation((text) => said.err.push(text) > 0);
  try {
    const code = await run(words);
    return { code, out: said.out.map(String).join(""), err: said.err.map(String).join("") };
  } finally {
    out.mockRestore();
    err.mockRestore();
  }
}

interface Running {
  readonly url: string;
  readonly stderr: () => string;
  kill(signal: NodeJS.Signals): Promise<number | null>;
}

/** `tenon platform` as a process of its own; it is gone after the test. */
function launch(cwd: string, ...words: readonly string[]): Promise<Running> {
  const child = spawn(process.execPath, [main, "platform", ...words], {
    cwd,
    env: bareEnv(),
  });
  let stderr = "";
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  onTestFinished(() => void child.kill("SIGKILL"));
  return new Promise((resolve, reject) => {
    void ended.then(() => reject(new Error(`ended early: ${stderr}`)));
    child.stderr.on("data", (chunk) => {
      stderr += String(chunk);
      const url = /listens on (http:\S+)\n/.exec(stderr)?.[1];
      if (url === undefined) return;
      resolve({
        url,
        stderr: () => stderr,
        kill(signal) {
          child.kill(signal);
          return ended;
        },
      });
    });
  });
}

test("as a process: what it says, kill -9, the same folder again, a second one, SIGTERM", async () => {
  const folder = temporaryFolder({ "service.json": '{"name": "Prime numbers"}' });
  const first = await launch(folder, "--port", "0");
  await expect.poll(first.stderr).toContain(`  Prime numbers: PLATFORM_BASE_URL=${first.url}/prime-numbers\n`);
  expect(readFileSync(join(folder, ".tenon/platform/url"), "utf8")).toBe(`${first.url}\n`);
  const post = (url: string): Promise<Response> =>
    fetch(`${url}/services2/prime-numbers/jobs`, {
      method: "POST",
      body: "{}",
      headers: { "content-type": "application/json" },
    });
  const ids = (await Promise.all(Array.from({ length: 20 }, () => post(first.url)))).map(jobOf);
  expect(await first.kill("SIGKILL")).toBe(null);

  const second = await launch(folder, "--port", "0", "--quiet", "--proxy-port", "0");
  await expect(launch(folder, "--port", "0")).rejects.toThrow(
    /^ended early: tenon: \S+jobs\.db is in use by process \d+/,
  );
  await expect.poll(second.stderr).toMatch(/proxy: PLATFORM_PROXY_URL=http:\/\/127\.0\.0\.1:\d+\n/);
  const given: unknown[] = [];
  for (let n = 0; n < 20; n++) {
    const job = await fetch(`${second.url}/prime-numbers/next_job`);
    given.push(((await job.json()) as { id: string }).id);
  }
  expect(given.toSorted()).toEqual(ids.toSorted());
  expect(await second.kill("SIGTERM")).toBe(0);
});

test("submit, jobs, watch: steps while it runs, the result on standard output", async () => {
  const platform = await localPlatform({ services: [{ definition: { name: "Demo" } }] });
  worker(platform, "demo", ({ text, fail }: { text: string; fail?: boolean }, job) => {
    job.report.step("shout", { message: "now\u001b[31m" }, () => {});
    if (fail === true) throw new ValueError("not loud enough");
    return { text: text.toUpperCase() };
  });
  const at = ["--url", platform.url];
  const done = await tenon("submit", '{"text":"hi"}', ...at);
  expect([done.code, JSON.parse(done.out)]).toEqual([0, { text: "HI" }]);
  // With its duration.
  expect(
    done.err
      .replace(/ in [\d.]+ m?s$/m, " in 1 s")
      .split("\n")
      .slice(1),
  ).toEqual([String.raw`  ● shout now\u001b[31m`, "  ✓ shout", "  succeeded in 1 s", ""]);
  const failed = await tenon("submit", "demo", '{"text":"hi","fail":true}', "--json", ...at);
  expect([failed.code, JSON.parse(failed.out), failed.err]).toEqual([
    1,
    { $schema: "urn:platform:schema.service.error.1", error: "not loud enough", type: "ValueError" },
    "",
  ]);
  const detached = await tenon("submit", "demo", '{"text":"x"}', "--detach", "--key", "k", ...at);
  expect(detached.out).toMatch(/^urn:platform:job:[\da-f-]{36}\n$/);
  const id = detached.out.trim();
  expect((await tenon("watch", id, ...at)).err.split("\n").at(-2)).toMatch(/^succeeded in [\d.]+ m?s$/);
  const listed = JSON.parse((await tenon("jobs", "--json", "--limit", "2", ...at)).out) as {
    id: string;
    status: string;
  }[];
  expect(listed.map(({ status }) => status)).toEqual(["succeeded", "failed"]);
  const rows = (await tenon("jobs", "--status", "failed", "--service", "Demo", ...at)).out.trimEnd().split("\n");
  expect([rows.length, rows[0]]).toEqual([
    1,
    expect.stringMatching(
      /^urn:platform:job:\S+ {2}failed {4}\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}\d+(?:\.\d)? m?s +Demo$/,
    ),
  ]);
  expect(JSON.parse((await tenon("jobs", id, ...at)).out)).toMatchObject({
    id,
    status: "succeeded",
    "result-content": { text: "X" },
  });
  // The last letters of an id are what the live view shows.
  expect(JSON.parse((await tenon("jobs", id.slice(-8), ...at)).out)).toMatchObject({ id });
  await expect(tenon("jobs", "nope", ...at)).rejects.toThrow('There is no job "nope".');
  await expect(tenon("submit", "demo", "{", ...at)).rejects.toThrow("The request body is not valid JSON");
  await platform.stop();
  await expect(tenon("jobs", ...at)).rejects.toThrow(`No platform listens at ${platform.url}`);
});

test("artifacts: stored, listed, fetched", async () => {
  const platform = await localPlatform();
  const folder = temporaryFolder({ "paper.md": "# Päper" });
  const at = ["--url", platform.url];
  const urn = (
    await tenon("artifacts", "--upload", join(folder, "paper.md"), "--type", "text/markdown", ...at)
  ).out.trim();
  expect((await tenon("artifacts", ...at)).out).toBe(`${urn}  ready   8 B        text/markdown  "paper.md"\n`);
  await tenon("artifacts", urn, "--out", join(folder, "copy.md"), ...at);
  expect(readFileSync(join(folder, "copy.md"), "utf8")).toBe("# Päper");
  await expect(tenon("artifacts", "--upload", join(folder, "none"), ...at)).rejects.toThrow("There is no file");
});

test("redrive: lists dead letters and puts them back", async () => {
  let time = 0;
  const now = (): number => time;
  const platform = await localPlatform({ now, leaseSeconds: 0.1, services: [{ definition: { name: "demo" } }] });
  const at = ["--url", platform.url];
  expect((await tenon("redrive", ...at)).err).toBe("There are no dead letters.\n");
  const id = jobOf(await submit(platform, "demo", {}));
  for (let n = 0; n < 3; n++) {
    await fetchJob(platform, "demo");
    time += 101;
  }
  await fetch(`${platform.url}/jobs/${id}?wait=10`);
  expect((await tenon("redrive", ...at)).out).toContain(`${id}  `);
  expect((await tenon("redrive", "--all", ...at)).err).toBe(`${id} waits again\n`);
  const { headers } = await fetchJob(platform, "demo");
  expect(await callAbout(platform, `/results/${id}`, headers, 1)).toBe(204);
});

describe("what is wrong with a file, a folder or an address is said without a stack", () => {
  const demo = { services: [{ definition: { name: "demo" } }] };

  test("a file for a stored one that cannot be written", async () => {
    const folder = temporaryFolder({ "plain.txt": "x" });
    const platform = await localPlatform(demo);
    const stored = await tenon("artifacts", "--upload", join(folder, "plain.txt"), "--url", platform.url);
    const nowhere = join(folder, "missing/out");
    const words = ["artifacts", stored.out.trim(), "-o", nowhere, "--url", platform.url];
    await expect(tenon(...words)).rejects.toThrow(
      `${nowhere} cannot be written: its folder does not exist. Name another file.`,
    );
  });

  test("a folder in the place of a file", async () => {
    const folder = temporaryFolder();
    const at = ["--url", (await localPlatform(demo)).url];
    await expect(tenon("artifacts", "--upload", folder, ...at)).rejects.toThrow(`${folder} is not a file.`);
    await expect(tenon("submit", "demo", `@${folder}`, ...at)).rejects.toThrow(
      `${folder} cannot be read: it is a folder.`,
    );
  });

  test.each([
    [["jobs", "--url", "foo"], '--url "foo" is not the address of a platform; write one such as http://127.0.0.1:4400'],
    [["jobs", "--url", "http://127.0.0.1:1", "--status", "foo"], '--status is "foo"; it must be one of pending'],
    [["--lease", "0"], '--lease is "0"; it must be a number from 1 to 86400'],
  ])("%j", async (words, message) => {
    await expect(tenon(...words)).rejects.toThrow(message);
  });

  test("a recording that cannot be written", async () => {
    const nowhere = join(temporaryFolder(), "missing/out");
    await expect(tenon("--record", nowhere)).rejects.toThrow(`${nowhere} cannot be written`);
  });

  test.skipIf(process.platform !== "linux")("a recording into a pipe that nobody reads", async () => {
    const pipe = join(temporaryFolder(), "pipe");
    execFileSync("mkfifo", [pipe]);
    await expect(tenon("--record", pipe)).rejects.toThrow(
      `${pipe} cannot be written: nobody reads from this pipe. Name another file.`,
    );
  });

  test.skipIf(process.platform !== "linux")("a recording on a full disk: said at once, and at the end", async () => {
    const folder = temporaryFolder();
    const own = ["--folder", join(folder, "platform"), "--port", "0"];
    const { url, stderr, kill } = await launch(folder, ...own, "--record", "/dev/full");
    expect((await fetch(`${url}/jobs`)).status).toBe(200);
    const whole = "The recording /dev/full is not whole: the disk is full. Record again into another file.";
    await expect.poll(stderr).toContain(`${whole} The platform goes on without it.`);
    expect((await fetch(`${url}/jobs`)).status).toBe(200);
    expect(await kill("SIGTERM")).toBe(1);
    expect(stderr().trimEnd().split("\n").at(-1)).toBe(`tenon: ${whole}`);
    expect(existsSync(join(folder, "platform/operator"))).toBe(false);
  });

  test("a folder that is a file, or cannot be made", async () => {
    const taken = join(temporaryFolder({ "plain.txt": "x" }), "plain.txt");
    await expect(tenon("--folder", taken, "--port", "0")).rejects.toThrow(
      `${taken} is a file, where a folder is needed.`,
    );
    await expect(tenon("--folder", "/proc/none", "--port", "0")).rejects.toThrow(
      "The folder /proc/none cannot be made",
    );
  });

  test("an address of another machine", async () => {
    const words = ["--folder", join(temporaryFolder(), "own"), "--host", "192.0.2.1", "--port", "0"];
    await expect(tenon(...words)).rejects.toThrow("192.0.2.1 is not an address of this machine.");
  });
});

test("a service that only its worker has named is found by the name that would give its key", async () => {
  const platform = await localPlatform();
  await platform.register({ definition: { name: "prime-numbers" } });
  const namesLike = async (text: string): Promise<unknown> => {
    const response = await fetch(`${platform.url}/services2?filter=${encodeURIComponent(`name~='${text}'`)}`);
    return ((await response.json()) as { items: { name: string }[] }).items.map(({ name }) => name);
  };
  expect(await namesLike("Prime numbers")).toEqual(["prime-numbers"]);
  await platform.register({ definition: { name: "Prime numbers", version: "1" } });
  expect([await namesLike("prime-numbers"), await namesLike("Prime num")]).toEqual([[], ["Prime numbers"]]);
});

test("submit: a job that no worker has taken is told of, one that runs is not", async () => {
  const platform = await localPlatform({ services: [{ definition: { name: "Demo" } }] });
  const lines: string[] = [];
  const ask = (path: string): Promise<Response> => fetch(platform.url + path);
  const id = jobOf(await submit(platform, "demo", {}));
  await tellWaiting(ask, id, (line) => lines.push(line));
  expect(lines).toEqual(["waits for a worker; stop with Ctrl-C, the job stays"]);
  await fetchJob(platform, "demo");
  await tellWaiting(ask, id, (line) => lines.push(line));
  await tellWaiting(ask, "gone", (line) => lines.push(line));
  expect(lines.length).toBe(1);
  await platform.stop();
});

test("submit with --json says what it waits for, too, beside the result", async () => {
  const platform = await localPlatform({ services: [{ definition: { name: "Demo" } }] });
  const ended = tenon("submit", "demo", "{}", "--json", "--url", platform.url);
  await new Promise((resolve) => setTimeout(resolve, 3500));
  worker(platform, "demo", () => ({ done: true }));
  const { code, out, err } = await ended;
  expect([code, JSON.parse(out)]).toEqual([0, { done: true }]);
  expect(err).toBe("  waits for a worker; stop with Ctrl-C, the job stays\n");
  await platform.stop();
});

test("the only tool of a service is named; its result goes into a file, and bytes never to a terminal", async () => {
  const definition = { name: "Pictures", tools: [{ name: "draw" }] };
  const platform = await localPlatform({ services: [{ definition }] });
  worker(platform, "pictures", () => ({ drawn: true }));
  const at = ["--url", platform.url];
  const folder = temporaryFolder();
  const file = join(folder, "result.json");
  expect(await tenon("submit", "{}", "-o", file, ...at)).toMatchObject({ code: 0, out: "" });
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ drawn: true });
  expect((await tenon("jobs", ...at)).out).toMatch(/ {2}Pictures draw\n$/);
  const stored = (await tenon("artifacts", "--upload", file, ...at)).out.trim();
  const { isTTY } = process.stdout;
  process.stdout.isTTY = true;
  try {
    await expect(tenon("artifacts", stored, ...at)).rejects.toThrow("Write the content into a file: -o FILE");
  } finally {
    process.stdout.isTTY = isTTY;
  }
});

test("submit: what was wrong with the request", async () => {
  const platform = await localPlatform();
  worker(platform, "demo", () => {
    throw new ToolError("validation", "The request does not match its schema.", {
      problems: [{ path: "/number", expected: "integer", message: "expected integer" }],
    });
  });
  const said = await tenon("submit", "demo", "{}", "--url", platform.url);
  expect([
    said.code,
    said.err
      .replace(/ in [\d.]+ m?s:/, " in 1 s:")
      .split("\n")
      .slice(-3, -1),
  ]).toEqual([1, ["  failed in 1 s: The request does not match its schema.", "    /number: expected integer"]]);
});

test("usage: help of every part, unknown parts, wrong values", async () => {
  for (const part of ["submit", "jobs", "watch", "artifacts", "redrive", "fork", "replay", "serve"]) {
    const { code, out } = await tenon(part, "--help");
    expect([part, code, out.startsWith("Usage: tenon platform")]).toEqual([part, 0, true]);
  }
  await expect(tenon("nothing")).rejects.toThrow('tenon platform has no part "nothing"');
  await expect(tenon("--port", "x")).rejects.toThrow('--port is "x"');
  await expect(tenon("--fault", "x")).rejects.toThrow("--fault does not know");
  await expect(tenon("missing.json")).rejects.toThrow("There is no file missing.json");
  await expect(tenon("submit")).rejects.toThrow("Give the request");
  await expect(tenon("replay", "missing.jsonl")).rejects.toThrow(
    "There is no file missing.jsonl. `tenon platform --record FILE` makes one.",
  );
});
