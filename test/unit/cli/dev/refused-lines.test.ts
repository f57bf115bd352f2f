import { channel } from "node:diagnostics_channel";
import { expect, test, vi } from "vitest";
import { showRefused } from "../../../../cli/dev/refused-lines.ts";

test("a request that reached no tool has its reason, with the field that was wrong", () => {
  vi.stubEnv("NO_COLOR", "1");
  const lines: string[] = [];
  showRefused((line) => void lines.push(line.replace(/^\S+ /, "")));
  const answer = (statusCode: number, body: object): void => {
    const response = { statusCode, hasHeader: () => false, write() {}, end: (body: string) => body };
    channel("http.server.request.start").publish({ request: { method: "POST", url: "/tool/plan?a=1" }, response });
    response.end(JSON.stringify(body));
  };
  answer(404, { detail: "There is no such path." });
  answer(422, {
    detail: "The request does not match its schema.",
    errors: [
      { path: "/count", message: "Expected integer." },
      { path: "/a", message: "Odd." },
    ],
  });
  answer(400, { error: { message: "Invalid params" } });
  answer(200, {});
  vi.unstubAllEnvs();
  expect(lines).toEqual([
    "! POST /tool/plan 404  There is no such path.",
    "! POST /tool/plan 422  The request does not match its schema: /count Expected integer, and 1 more",
    "! POST /tool/plan 400  Invalid params",
  ]);
});
