import { expect, test } from "vitest";
import { forwardUrl } from "../../../../../../runtime/outside/outbound/rules/decide-request.ts";

test.each([
  ["http://a.example", "/", "http://a.example/"],
  ["http://a.example", "/p?q=1#f", "http://a.example/p?q=1"],
  ["http://a.example", "p", "http://a.example/p"],
  ["http://a.example", "//b.example/", "http://a.example//b.example/"],
  ["http://a.example", "/a\r\nX: 1", "http://a.example/a%0D%0AX:%201"],
  ["http://a.example", "/\u00fc", "http://a.example/%FC"],
  ["http://a.example", "/☃", "http://a.example/%E2%98%83"],
  ["http://a.example", "/\ud800", "http://a.example/%EF%BF%BD"],
  ["http://a.example", "/%zz/../x", "http://a.example/%zz/../x"],
  ["http://proxy.example", "http://u:p@b.example/x?y#z", "http://b.example/x?y"],
])("%s and %j give %s", (origin, path, expected) => {
  expect(forwardUrl(origin, path)).toBe(expected);
});
