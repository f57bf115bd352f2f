import { expect, test } from "vitest";
import { shownBeginning, shownRequest } from "../../../../../../runtime/web/console/base/shown-request.ts";

test("a request that is shown has a mark in place of each secret", () => {
  const request = {
    user: "Ann",
    apiKey: "k",
    password: null,
    maxTokens: 3,
    hasToken: true,
    list: [{ token: { a: 1 } }],
  };
  expect(JSON.parse(shownRequest(JSON.stringify(request)))).toEqual({
    ...request,
    apiKey: "[redacted]",
    list: [{ token: "[redacted]" }],
  });
});

test.each([
  ['{"user":"Ann","password":"hunter2","n":1}', '{"user":"Ann","password":"[redacted]","n":1}'],
  ['{"password":"hun', '{"password":"[redacted]"'],
  [String.raw`{"password":"a\":`, '{"password":"[redacted]"'],
  ['{"list":["a",":token"],"token":123', '{"list":["a",":token"],"token":123'],
  ['{"list":["a",":b"],"secret":123,"c":2}', '{"list":["a",":b"],"secret":"[redacted]","c":2}'],
  ['{"maxTokens":3,"hasToken":true,"secret":null}', '{"maxTokens":3,"hasToken":true,"secret":null}'],
  [
    '{"a":{"api_key":"k"},"credentials":{"pin":"1234"},"b":2}',
    '{"a":{"api_key":"[redacted]"},"credentials":"[redacted]"…',
  ],
  ['{"passw', '{"passw'],
  ["[1,2", "[1,2"],
])("the beginning of a request is shown without secrets: %s", (json, shown) => {
  expect(shownBeginning(json)).toBe(shown);
});

test("wherever a request is cut, nothing of its secrets is shown", () => {
  const json = JSON.stringify({
    user: "Ann",
    password: 'hun"ter\\":2',
    list: [{ token: "zz9" }],
    secrets: { pin: "77" },
  });
  for (let end = 0; end <= json.length; end++) expect(shownBeginning(json.slice(0, end))).not.toMatch(/hun|ter|zz|77/);
});
