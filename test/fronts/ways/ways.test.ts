import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { audience, serveTokenIssuer, type TokenIssuer } from "../../support/token-issuer.ts";
import { ask, type Answered } from "./ask.ts";
import { startHost, ways, type Host, type Way } from "./hosts.ts";
import { rows, type Row } from "./requests.ts";

let issuer: { readonly url: string; readonly tokens: TokenIssuer; stop(): void };
beforeAll(async () => {
  issuer = await serveTokenIssuer();
});
afterAll(() => issuer.stop());

/** Variables of each service. */
function envOf(service: Row["service"]): Record<string, string> {
  const open = {
    TENON_ALLOWED_HOSTS: "tools.example.org",
    TENON_ALLOWED_ORIGINS: "https://app.example.org",
    TENON_BODY_LIMIT: "20000",
    TENON_METRICS: "true",
    OTEL_METRICS_EXPORTER: "none",
    LOG_LEVEL: "CRITICAL",
  };
  switch (service) {
    case undefined:
      return open;
    case "guarded":
      return { ...open, TENON_AUTH_ISSUER: issuer.url, TENON_AUTH_AUDIENCE: audience };
    case "limited":
      return { ...open, TENON_RATE_LIMIT: "3/h" };
  }
}

/** Only the endpoint of MCP, its metadata, and no other document. */
const isOfMcp = ({ steps }: Row): boolean =>
  steps.every((step) => "line" in step || step.path === "/mcp" || step.path.startsWith("/.well-known/oauth"));

/** The answers to all rows in one way. */
async function answersOf(way: Way, asked: readonly Row[]): Promise<ReadonlyMap<string, readonly Answered[]>> {
  const hosts = new Map<Row["service"], Promise<Host>>();
  const hostOf = (service: Row["service"]): Promise<Host> => {
    const known = hosts.get(service) ?? startHost(way, envOf(service));
    hosts.set(service, known);
    return known;
  };
  try {
    const answers = new Map<string, readonly Answered[]>();
    for (const row of asked) answers.set(row.name, await ask(await hostOf(row.service), row, issuer.tokens));
    return answers;
  } finally {
    for (const host of hosts.values()) (await host).stop();
  }
}

/** Writes all answers to a folder, for comparing two states of the code. */
function save({ way }: Way, answers: ReadonlyMap<string, readonly Answered[]>): void {
  const folder = process.env["WAYS"];
  if (folder !== undefined) writeFileSync(join(folder, `${way}.json`), JSON.stringify([...answers], null, 1));
}

const [[, first], ...others] = Object.entries(ways) as [[string, Way], ...[string, Way][]];
let expected: ReadonlyMap<string, readonly Answered[]>;
beforeAll(async () => {
  expected = await answersOf(first, rows);
  save(first, expected);
});

test("no row is there twice", () => {
  expect(rows.length).toBe(new Set(rows.map(({ name }) => name)).size);
  expect(rows.length).toBeGreaterThanOrEqual(60);
});

describe.each(others)("%s answers as startLambdaServer does", (_, way) => {
  const asked = way.way === "registered" ? rows.filter(isOfMcp) : rows;
  let answers: ReadonlyMap<string, readonly Answered[]>;
  beforeAll(async () => {
    answers = await answersOf(way, asked);
    save(way, answers);
  });
  test.each(asked)("$name", (row) => {
    expect(answers.get(row.name)).toEqual(expected.get(row.name));
  });
});
