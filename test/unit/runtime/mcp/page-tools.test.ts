import { expect, test } from "vitest";
import { pageTools } from "../../../../runtime/mcp/page-tools.ts";

const tools = ["c", "a", "b", "d", "e"].map((name) => ({ name, description: name, inputSchema: { type: "object" } }));

test("without a page size everything is one page", () => {
  expect(pageTools(tools, undefined, undefined)).toEqual({ tools });
});

test("cursors walk through all tools once, in source order", () => {
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = pageTools(tools, 2, cursor);
    seen.push(...page.tools.map((tool) => tool.name));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  expect(seen).toEqual(["c", "a", "b", "d", "e"]);
});

test.each(["", "nonsense", Buffer.from("from:f").toString("base64url")])("the cursor %j is refused", (cursor) => {
  expect(() => pageTools(tools, 2, cursor)).toThrow(
    expect.objectContaining({ code: -32602, message: "Invalid cursor. Start again without one." }),
  );
});
