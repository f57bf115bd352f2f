import { expect, test } from "vitest";
import { toolTexts } from "../../../../../../runtime/web/console/client/copy-as.ts";

test("commands and code have the address of the service, with the path of its host", () => {
  const texts = new Map(toolTexts("pay", "{}", "https://example.org/api").map(({ name, text }) => [name, text]));
  expect(texts.get("tenon call")).toBe("tenon call pay '{}' --url 'https://example.org/api'");
  expect(texts.get("typed client")).toContain('createClient<typeof tools>({ url: "https://example.org/api" })');
});
