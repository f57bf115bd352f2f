import { describe, expect, it } from "vitest";
import { secretsOf } from "../../../../../runtime/telemetry/log/known-secrets.ts";
import { createRedactor, isSecretName } from "../../../../../runtime/telemetry/log/redact.ts";
import { processorTime } from "../../../../support/processor-time.ts";

const inBase64 = (secret: string, coding: "base64" | "base64url"): string =>
  Buffer.from(secret).toString(coding).replace(/=+$/, "");

const { text, fields, known } = createRedactor(["hunter2!", "hunter2!longer", "a+b(c"]);

it.each([
  ["nothing here", "nothing here"],
  ["pass hunter2!longer and hunter2!", "pass [redacted] and [redacted]"],
  ["a+b(c", "[redacted]"],
  ["Authorization: Bearer abc.def-123", "Authorization: Bearer [redacted]"],
  ["basic QWxhZGRpbg==", "basic [redacted]"],
  ["a Basic idea", "a Basic idea"],
  ["GET https://u:p@h/x?b=1&token=abc#f", "GET https://[redacted]@h/x?b=1&token=[redacted]#f"],
  ["https://h/?X-Amz-Signature=abc", "https://h/?X-Amz-Signature=[redacted]"],
  ["mail me@example.org", "mail me@example.org"],
  ["{ 'x-api-key': 'abcdef' }", "{ 'x-api-key': '[redacted]' }"],
  ['"password":"letmein"', '"password":"[redacted]"'],
  ["eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln", "[redacted]"],
  ["a-eyJ-eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln.", "a-[redacted]."],
  [`sk-${"a".repeat(20)} ghp_${"b".repeat(30)} AKIA${"C".repeat(16)}`, "[redacted] [redacted] [redacted]"],
])("%s", (given, expected) => {
  expect(text(given)).toBe(expected);
});

it("knows the token of a job, with and without its scheme", () => {
  expect(text("x jobtoken y Bearer jobtoken", "Bearer jobtoken")).toBe("x [redacted] y [redacted]");
  expect(text("x jobtoken y", "Bearer othertoken")).toBe("x jobtoken y");
});

it("takes values of secret fields, at any depth, and pairs of headers", () => {
  expect(
    fields({
      apiKey: "x",
      a: [{ refresh_token: { deep: 1 } }, ["Authorization", "x"], ["other", "x"]],
      token: null,
      isToken: true,
      totalTokens: 3,
      password: 1234,
      "hunter2!": "name",
    }),
  ).toEqual({
    apiKey: "[redacted]",
    a: [{ refresh_token: "[redacted]" }, ["Authorization", "[redacted]"], ["other", "x"]],
    token: null,
    isToken: true,
    totalTokens: 3,
    password: "[redacted]",
    "[redacted]": "name",
  });
});

it("leaves in events and answers what only looks like a secret", () => {
  expect(known({ url: "https://h/?signature=abc", token: "word", note: ["hunter2!"] })).toEqual({
    url: "https://h/?signature=abc",
    token: "word",
    note: ["[redacted]"],
  });
});

it.each([
  "authorization",
  "Proxy-Authorization",
  "X-Api-Key",
  "client_secret",
  "dbPassword",
  "Set-Cookie",
  "OBSERVER_AUTH",
])("%s is secret", (name) => {
  expect(isSecretName(name)).toBe(true);
});
it.each(["author", "tokens", "key", "PWD", "cookieless", "secretary"])("%s is not", (name) => {
  expect(isSecretName(name)).toBe(false);
});

it("a long text costs one pass", () => {
  const before = processorTime();
  for (const piece of ["a", "?a", "://", "api", "Bearer ", "eyJ", "eyJ-", "secret: "]) text(piece.repeat(100_000));
  expect(processorTime() - before).toBeLessThan(3000);
});

describe("secrets of the environment", () => {
  it.each<[Readonly<Record<string, string>>, readonly string[]]>([
    [{ HOME: "/home/user", PATH: "/usr/bin", PWD: "/somewhere" }, []],
    [{ LLM_API_KEY: "key-123" }, ["key-123"]],
    [{ SIGNING_KEY: "key 123" }, ["key 123", "key%20123"]],
    [{ DB_PASSWORD: "abc" }, []],
    [{ OBSERVER_AUTH: "Bearer abcdef" }, ["Bearer abcdef", "abcdef"]],
    [{ DATABASE_URL: "postgres://user:p4ssword@h/d" }, ["p4ssword"]],
    [
      { DATABASE_URL: "postgres://user:p%40ss%2Fword99@h/d" },
      ["p%40ss%2Fword99", "p%2540ss%252Fword99", "p@ss/word99"],
    ],
    [{ DB_PASSWORD: " hunter2-long\n" }, ["hunter2-long"]],
    [{ X_HEADERS: "stream-name=production,x-team=0123456789abcdef,api-key=short1" }, ["0123456789abcdef", "short1"]],
    [
      { OBSERVER_USERNAME: "u", OBSERVER_TOKEN: "secret" },
      ["secret", Buffer.from("u:secret").toString("base64"), "dTpzZWNyZXQ%3D"],
    ],
    [
      { OBSERVER_USERNAME: "u\n", OBSERVER_TOKEN: "secret\n" },
      ["secret", Buffer.from("u:secret").toString("base64"), "dTpzZWNyZXQ%3D"],
    ],
  ])("%j", (env, expected) => {
    const coded = new Set(
      expected.flatMap((form) => (["base64", "base64url"] as const).map((coding) => inBase64(form, coding))),
    );
    expect(secretsOf(env).filter((form) => !coded.has(form))).toEqual(expected);
  });

  it("in both alphabets of base64, with and without its padding", () => {
    const secret = "key-?>~\u00ff-1";
    const { text: clean } = createRedactor(secretsOf({ LLM_API_KEY: secret }));
    expect(clean(`${Buffer.from(secret).toString("base64")} ${inBase64(secret, "base64url")}`)).toMatch(
      /^\[redacted\]=* \[redacted\]$/,
    );
  });
});
