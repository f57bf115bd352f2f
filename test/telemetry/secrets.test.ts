import { join } from "node:path";
import { afterEach, beforeEach, expect, inject, it } from "vitest";
import { startRecorder } from "../outbound/harness/recorder.ts";
import { launchEntry } from "../support/launch.ts";
import { startOtlpSink, type OtlpSink } from "../support/otlp-sink.ts";

const entry = join(inject("bundledServices"), "telemetry.js");
const canary = (name: string): string => `CANARY-${name}-q7Zx9`;
const secrets = {
  jobToken: canary("job"),
  apiKey: canary("api"),
  password: canary("password"),
  header: canary("header"),
  auth: canary("auth"),
  userinfo: canary("userinfo"),
};
const env = {
  LLM_API_KEY: secrets.apiKey,
  DATABASE_URL: `postgres://user:${secrets.userinfo}@db/x`,
  SMTP_PASSWORD: secrets.password,
  OBSERVER_USERNAME: "user",
  OBSERVER_TOKEN: secrets.auth,
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: `x-team=${secrets.header}`,
  // Jobs get their token on the platform only; nobody listens there.
  PLATFORM_BASE_URL: "http://127.0.0.1:9",
  TENON_ALLOWED_HOSTS: "localhost",
};

let sink: OtlpSink;
beforeEach(async () => {
  sink = await startOtlpSink();
});
afterEach(() => sink.close());

it("no secret in log, telemetry, events or answers, wherever the author puts it", async () => {
  const service = await launchEntry(entry, ["--with-mcp"], { ...env, OTEL_EXPORTER_OTLP_ENDPOINT: sink.url }).listening;
  const bearer = { authorization: `Bearer ${secrets.jobToken}` };
  const seen: string[] = [];
  for (const [name, secret] of Object.entries(secrets)) {
    for (const mode of ["secrets", "user", "throw", "log"]) {
      const answer = await service.post(
        { mode, text: secret },
        { ...bearer, "job-id": `${mode}-${name}`, prefer: "wait=5" },
      );
      seen.push(await answer.text());
      const events = await fetch(`${service.url}/jobs/${mode}-${name}/events`, { headers: { "last-event-id": "0" } });
      seen.push(await events.text());
    }
  }
  for (const path of ["/tool", "/openapi.json"]) seen.push(await (await fetch(service.url + path)).text());
  const { code, stdout, stderr } = await service.stop();
  expect(code).toBe(0);

  // The material must be there, or the search proves nothing.
  const bodies = sink.requests.map(({ body }) => body.toString("latin1")).join("\n");
  expect(stderr).toContain("have [redacted]");
  expect(stderr).toContain('"message":"first [redacted]"');
  expect(stderr).toContain('"message":"second [redacted]"');
  expect(seen.join("\n")).toContain("no [redacted]");
  expect(bodies).toContain("message [redacted]");
  expect(sink.of("traces")[0]?.headers["x-team"]).toBe(secrets.header);
  for (const text of [stdout, stderr, bodies, ...seen]) {
    expect(text).not.toContain("CANARY");
    for (const secret of Object.values(secrets)) {
      expect(text).not.toContain(Buffer.from(secret).toString("base64").slice(0, 16));
      expect(text).not.toContain(Buffer.from(`user:${secret}`).toString("base64").slice(0, 20));
    }
  }
});

it("what looks like a secret is taken out of the log, also when nobody knows it", async () => {
  const service = await launchEntry(entry, [], { OTEL_EXPORTER_OTLP_ENDPOINT: sink.url, TENON_ALLOWED_HOSTS: "x" })
    .listening;
  await service.post({ mode: "secrets", text: "Bearer CANARY-unknown" });
  await service.post({ mode: "throw", text: "at https://u:CANARY-unknown@h/x?api_key=CANARY-unknown&b=1" });
  const { stderr } = await service.stop();
  expect(stderr).toContain("at https://[redacted]@h/x?api_key=[redacted]&b=1");
  expect(stderr).not.toContain("CANARY");
  expect(sink.requests.map(({ body }) => body.toString("latin1")).join("\n")).not.toContain("CANARY");
});

it("nor in what a service prints of itself, nor in the complaint about a bad start", async () => {
  const description = await launchEntry(entry, ["--print-service-description"], {
    ...env,
    OTEL_EXPORTER_OTLP_ENDPOINT: sink.url,
  }).ended;
  expect(description.code).toBe(0);
  expect(description.stdout).toContain('"Telemetry test"');
  const bad = await launchEntry(entry, [`--api-key=${secrets.apiKey}`], env).ended;
  expect(bad.code).toBe(2);
  const badUrl = await launchEntry(entry, [], { OTEL_EXPORTER_OTLP_ENDPOINT: `ftp://u:${secrets.userinfo}@h` }).ended;
  expect(badUrl.code).toBe(1);
  for (const { stdout, stderr } of [description, bad, badUrl]) expect(stdout + stderr).not.toContain("CANARY");
});

it("nothing of bodies, queries, userinfo, cookies or the command line in log and telemetry", async () => {
  const target = await startRecorder();
  const service = await launchEntry(entry, ["--with-telemetry", "--with-mcp"], {
    PLATFORM_BASE_URL: "http://127.0.0.1:9",
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://user:${secrets.userinfo}@${new URL(sink.url).host}/?key=${canary("query")}`,
    TENON_ALLOWED_HOSTS: "localhost",
  }).listening;
  const host = `127.0.0.1:${target.port}`;
  const headers = { cookie: `session=${canary("cookie")}`, authorization: `Bearer ${secrets.jobToken}` };
  const told: string[] = [];
  const answers = [
    // Requests that come in: a good body, one that does not match, one that is not valid JSON; and a query.
    { body: { text: canary("body") }, status: 200 },
    { body: { mode: { [canary("name")]: canary("body") } }, status: 422 },
    { body: `{"text": "${canary("body")}`, status: 400 },
    // Requests that go out: queries of calls that succeed and that fail; userinfo, which fetch refuses with the URL.
    { body: { mode: "call", text: `http://${host}/?api_key=${canary("query")}&q=${canary("query")}` }, status: 200 },
    { body: { mode: "http", text: `http://${host}/?q=${canary("query")}` }, status: 200 },
    { body: { mode: "call", text: `http://127.0.0.1:9/?q=${canary("query")}` }, status: 500 },
    { body: { mode: "call", text: `http://user:${secrets.userinfo}@${host}/` }, status: 500 },
  ];
  for (const { body, status } of answers) {
    const answer = await fetch(`${service.url}/tool?token=${canary("query")}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
    expect(answer.status).toBe(status);
    const text = await answer.text();
    // A refusal shows its caller the value that does not match.
    told.push(status === 422 ? "" : text);
  }
  const { code, stdout, stderr } = await service.stop();
  await target.stop();
  const bodies = sink.requests.map(({ body }) => body.toString("latin1")).join("\n");
  expect([code, target.take().length]).toEqual([0, 2]);
  expect(bodies).toContain("url.full");
  expect(bodies).toContain("?[redacted]");
  for (const text of [stdout, stderr, bodies, ...told]) expect(text).not.toContain("CANARY");
});
