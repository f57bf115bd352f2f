import { expect, test } from "vitest";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { launch, sidecar } from "./launch.ts";

test("a job whose id cannot be used ends with an error result, and the next one runs", async () => {
  const fake = await sidecar();
  const long = `urn:platform:job:${"x".repeat(300)}`;
  fake.add({ id: long, content: { text: "hi" }, token: "Bearer 1" }, { id: "a\nb", content: { text: "hi" } });
  fake.add({ id: "urn:platform:job:3", content: { text: "hi" } });
  fake.finish();
  const { code, stderr } = await launch({ PLATFORM_BASE_URL: fake.url }, [], temporaryFolder()).ended;
  expect(code).toBe(0);
  const results = fake.exchanges.filter(({ phase }) => phase === "result");
  const seen = results.map(({ url, headers, body }) => [decodeURIComponent(url), headers["is-error"], body]);
  const problem = {
    $schema: "urn:platform:schema.service.error.1",
    type: "ValueError",
    error: "The job has an unusable id: it must be a text of at most 200 ASCII characters.",
  };
  expect(seen).toEqual([
    [`/results/${long}`, "true", problem],
    ["/results/a\nb", "true", problem],
    ["/results/urn:platform:job:3", "false", expect.anything()],
  ]);
  expect(results[0]?.headers.authorization).toBe("Bearer 1");
  expect(stderr.match(/"job cannot run"/g)).toHaveLength(2);
});
