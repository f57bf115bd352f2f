import { generateKeyPairSync } from "node:crypto";
import { expect, test } from "vitest";
import { IssuerKeys } from "../../../../../runtime/fronts/auth/issuer-keys.ts";
import { createTokenIssuer, issuer } from "../../../../support/token-issuer.ts";

/** Keys of an issuer, with a clock; `ask` answers with the code or the text of what was thrown. */
async function scene() {
  const server = await createTokenIssuer();
  const clock = { now: 5_000_000 };
  const changes: boolean[] = [];
  let sets = 0;
  const keys = new IssuerKeys({
    issuer,
    fetchJson: server.fetchJson,
    now: () => clock.now,
    onChange: (failure) => changes.push(failure === undefined),
    onKeys: () => sets++,
  });
  const ask = async (kid = server.keys[0]?.kid ?? ""): Promise<string> => {
    try {
      await keys.find({ alg: "ES256", kid }, { payload: "", signature: "" });
      return "found";
    } catch (error) {
      const { kind, code } = error as { readonly kind?: string; readonly code?: string };
      return kind ?? code ?? String(error);
    }
  };
  return { server, clock, ask, changes, sets: () => sets };
}

const unknown = "ERR_JWKS_NO_MATCHING_KEY";

test("keys are fetched again after ten minutes", async () => {
  const { server, clock, ask, sets } = await scene();
  expect(await ask()).toBe("found");
  clock.now += 600_000;
  expect([await ask(), server.fetches()]).toEqual(["found", 1]);
  clock.now += 1;
  expect(await ask()).toBe("found");
  await expect.poll(() => [server.fetches(), sets()]).toEqual([2, 2]);
});

test("nobody waits for an issuer that hangs while there are usable keys", async () => {
  const { server, clock, ask } = await scene();
  await ask();
  server.fail(new Promise(() => {}));
  clock.now += 600_001;
  expect(await ask()).toBe("found");
});

test("an unknown key is asked for once in half a minute", async () => {
  const { server, clock, ask } = await scene();
  expect(await ask()).toBe("found");
  clock.now += 29_999;
  expect([await ask("x"), server.fetches()]).toEqual([unknown, 1]);
  clock.now += 1;
  expect([await ask("x"), server.fetches()]).toEqual([unknown, 2]);
  expect([await ask("y"), server.fetches()]).toEqual([unknown, 2]);
});

test("an unknown key that the issuer has now is found", async () => {
  const { server, clock, ask } = await scene();
  await ask();
  await server.rotate("next");
  clock.now += 30_000;
  expect([await ask("next"), await ask("first")]).toEqual(["found", unknown]);
});

test("keys are used for an hour while they cannot be fetched; an unknown one cannot be judged meanwhile", async () => {
  const { server, clock, ask, changes } = await scene();
  await ask();
  server.fail(new Error("gone"));
  clock.now += 3_600_000;
  expect([await ask(), await ask("x")]).toEqual(["found", "unavailable"]);
  clock.now += 1;
  expect(await ask()).toBe("unavailable");
  expect(changes).toEqual([false]);
  server.fail(undefined);
  clock.now += 5000;
  expect(await ask()).toBe("found");
  expect(changes).toEqual([false, true]);
});

test("a fetch that failed is tried again after five seconds, once for all who ask", async () => {
  const { server, clock, ask } = await scene();
  server.fail(new Error("gone"));
  expect(await Promise.all([ask(), ask(), ask()])).toEqual(Array(3).fill("unavailable"));
  server.fail(undefined);
  clock.now += 4999;
  expect([await ask(), server.fetches()]).toEqual(["unavailable", 0]);
  clock.now += 1;
  expect(await Promise.all([ask(), ask(), ask()])).toEqual(Array(3).fill("found"));
  expect(server.fetches()).toBe(1);
});

test.each([
  ["AQAB", "found"],
  ["Aw", "found"],
  ["AQE", "found"],
  ["AAED", "found"],
  ["AQ", unknown],
  ["AAAB", unknown],
  ["AQAA", unknown],
  ["", unknown],
])("an RSA key with the exponent %j is %s", async (e, expected) => {
  const { publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const { n } = publicKey.export({ format: "jwk" });
  const set = { keys: [{ kty: "RSA", n, e, kid: "k", alg: "RS256", use: "sig" }] };
  const keys = new IssuerKeys({
    issuer,
    fetchJson: async (address) => (address.endsWith("/keys") ? set : { issuer, jwks_uri: `${issuer}/keys` }),
    now: () => 0,
    onChange: () => {},
    onKeys: () => {},
  });
  const found = keys.find({ alg: "RS256", kid: "k" }, { payload: "", signature: "" });
  expect(
    await found.then(
      () => "found",
      ({ code }: { code: string }) => code,
    ),
  ).toBe(expected);
});

test("a failure whose reason is nothing is one", async () => {
  const keys = new IssuerKeys({
    issuer,
    fetchJson: () => Promise.reject(undefined as unknown as Error),
    now: () => 0,
    onChange: () => {},
    onKeys: () => {},
  });
  await expect(keys.find({ alg: "ES256" }, { payload: "", signature: "" })).rejects.toMatchObject({
    kind: "unavailable",
    retryAfter: 5,
  });
});
