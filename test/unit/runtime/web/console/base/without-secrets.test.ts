import { expect, test } from "vitest";
import { withoutSecrets } from "../../../../../../runtime/web/console/base/without-secrets.ts";

test("fields named like secrets are left out by name, at any depth", () => {
  const request = { user: { password: 1234, name: "Ann" }, keys: [{ apiKey: "k" }, { accessToken: "t" }] };
  const left = ["password", "apiKey", "accessToken"];
  expect(withoutSecrets(request)).toEqual(['{"user":{"name":"Ann"},"keys":[{},{}]}', left]);
});

test("a number of tokens is not a secret, a list of them is", () => {
  expect(withoutSecrets({ maxTokens: 100, tokens: 3 })).toEqual(['{"maxTokens":100,"tokens":3}', []]);
  expect(withoutSecrets({ tokens: ["t"], tokenSecret: 5 })).toEqual(["{}", ["tokens", "tokenSecret"]]);
});
