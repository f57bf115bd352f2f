import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { BadToken, readBearer } from "../../../../../runtime/fronts/auth/bearer-token.ts";
import { createVerifier } from "../../../../../runtime/fronts/auth/verify-token.ts";

const file = join(import.meta.dirname, "../../../../fixtures/wycheproof/json-web-signature.jsonl");

interface Group {
  readonly key: { readonly kty: string; readonly alg?: string };
  readonly tests: readonly (readonly [id: number, comment: string, jws: string, result: "valid" | "invalid"])[];
}

const groups = readFileSync(file, "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as Group);
const issuer = "https://issuer.example";

/**
 * The distance that a token comes: to its claims when form, algorithm, key and signature are right. None of the texts
 * is a claims set.
 */
async function reached(key: Group["key"], jws: string): Promise<"form" | "signature" | "claims"> {
  const verify = createVerifier({
    auth: { issuer, audience: issuer, resource: issuer, scopes: [], clientId: undefined },
    onChange: () => undefined,
    onKeys: () => undefined,
    fetchJson: async (url) =>
      String(url).includes("well-known") ? { issuer, jwks_uri: `${issuer}/jwks` } : { keys: [key] },
  });
  try {
    const token = readBearer(`Bearer ${jws}`);
    if (token === undefined) return "form";
    await verify(token);
  } catch (error) {
    if (!(error instanceof BadToken)) throw error;
    if (error.cause === undefined) return "form";
    return (error.cause as { readonly code?: string }).code === "ERR_JWT_INVALID" ? "claims" : "signature";
  }
  throw new Error(`accepted: ${jws}`);
}

test("a signature that Wycheproof calls invalid is refused, and of the valid ones only what we do not take", async () => {
  const wrong: string[] = [];
  const refused: string[] = [];
  for (const { key, tests } of groups) {
    for (const [id, comment, jws, result] of tests) {
      const stage = await reached(key, jws);
      if (result === "invalid" && stage === "claims") wrong.push(`${id} ${comment}`);
      // A shared secret is no way to sign access tokens: whoever checks them could make them.
      if (result === "valid" && stage !== "claims" && key.kty !== "oct") refused.push(`${comment}: ${stage}`);
    }
  }
  expect(groups.flatMap(({ tests }) => tests)).toHaveLength(401);
  expect(wrong).toEqual([]);
  // oxfmt-ignore
  expect(refused.toSorted()).toEqual([
    // Keys that the vectors mark for another algorithm than that of the signature.
    "Figure20: signature", "Figure20: signature", "Figure27: signature", "Figure27: signature",
    // No token is empty.
    ...Array.from({ length: 6 }, () => "emptyPayload: form"),
  ]);
});
