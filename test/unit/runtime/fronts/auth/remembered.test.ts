import { expect, test } from "vitest";
import { createAuthenticator } from "../../../../../runtime/fronts/auth/authenticator.ts";
import type { AuthConfig } from "../../../../../runtime/service/config/auth-config.ts";
import { flushLogs, loggingInit } from "../../../../../runtime/telemetry/log/logging.ts";
import { audience, createTokenIssuer, issuer } from "../../../../support/token-issuer.ts";

const config: AuthConfig = { issuer, audience, resource: audience, scopes: [], clientId: undefined };

/** An authenticator whose time of day, and of its keys, is set by the test. */
async function scene() {
  const server = await createTokenIssuer();
  const time = { today: Math.floor(Date.now() / 1000) * 1000, now: 1_000_000 };
  const authenticator = createAuthenticator(config, {
    fetchJson: server.fetchJson,
    today: () => new Date(time.today),
    now: () => time.now,
  });
  /** True for a token that is checked again. */
  const isChecked = (token: string): boolean => {
    const answer = authenticator.authenticate(`Bearer ${token}`);
    if (answer instanceof Promise) answer.catch(() => {});
    return answer instanceof Promise;
  };
  const take = async (token: string): Promise<void> => void (await authenticator.authenticate(`Bearer ${token}`));
  return { server, time, isChecked, take };
}

test("a token is remembered for a minute, to the millisecond", async () => {
  const { server, time, isChecked, take } = await scene();
  const token = await server.token({ exp: time.today / 1000 + 600 });
  await take(token);
  time.today += 59_999;
  expect(isChecked(token)).toBe(false);
  time.today += 1;
  expect(isChecked(token)).toBe(true);
});

test("a token is remembered until it ends, to the millisecond, and not at all within the tolerance behind its end", async () => {
  const { server, time, isChecked, take } = await scene();
  const token = await server.token({ exp: time.today / 1000 + 10 });
  await take(token);
  time.today += 9999;
  expect(isChecked(token)).toBe(false);
  time.today += 1;
  expect(isChecked(token)).toBe(true);
  await take(token);
  expect(isChecked(token)).toBe(true);
});

test("a thousand tokens are remembered; one more takes the place of the oldest", async () => {
  const { server, time, isChecked, take } = await scene();
  const tokens = await Promise.all(Array.from({ length: 1001 }, (_, index) => server.token({ sub: `user-${index}` })));
  for (const token of tokens.slice(0, 1000)) await take(token);
  expect(tokens.slice(0, 1000).filter(isChecked)).toEqual([]);
  await take(tokens[1000] ?? "");
  expect(tokens.slice(1).filter(isChecked)).toEqual([]);
  expect(isChecked(tokens[0] ?? "")).toBe(true);
  // One that was checked again is the newest, and takes the place of none.
  await expect.poll(() => isChecked(tokens[0] ?? "")).toBe(false);
  time.today += 60_000;
  await take(tokens[4] ?? "");
  for (const sub of ["a", "b", "c"]) await take(await server.token({ sub }));
  expect(isChecked(tokens[4] ?? "")).toBe(false);
});

test("the log says once that the issuer is gone, and once that it is there again", async () => {
  const lines: string[] = [];
  loggingInit({ level: "INFO", write: (line) => lines.push(line) });
  const { server, time, take } = await scene();
  const tokens = await Promise.all(["a", "b", "c"].map((sub) => server.token({ sub })));
  server.fail(new Error("gone"));
  for (const token of tokens) await expect(take(token)).rejects.toThrow("cannot be reached");
  server.fail(undefined);
  time.now += 5000;
  for (const token of tokens) await take(token);
  await flushLogs();
  const all = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  // An executor of an earlier file in this worker may still log this.
  const said = all.filter(({ msg }) => msg !== "the job store failed");
  expect(said.map(({ level, name, msg, issuer: of }) => [level, name, of, msg])).toEqual([
    [
      "ERROR",
      "tenon",
      issuer,
      "the keys of the authorisation server cannot be fetched; known ones are used for an hour, and callers are answered 503 without any",
    ],
    ["INFO", "tenon", issuer, "the keys of the authorisation server are there again"],
  ]);
});
