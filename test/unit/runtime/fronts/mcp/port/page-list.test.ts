import { expect, test } from "vitest";
import { pageList } from "../../../../../../runtime/fronts/mcp/port/page-list.ts";

const tools = ["c", "a", "b", "d", "e"];
const pageOf = (size: number | undefined, cursor: string | undefined): ReturnType<typeof pageList<string>> =>
  pageList(tools, (name) => name, size, cursor);

test("without a page size everything is one page", () => {
  expect(pageOf(undefined, undefined)).toEqual({ page: tools });
});

test("cursors walk through all entries once, in source order", () => {
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const { page, nextCursor } = pageOf(2, cursor);
    seen.push(...page);
    cursor = nextCursor;
  } while (cursor !== undefined);
  expect(seen).toEqual(["c", "a", "b", "d", "e"]);
});

test.each(["", "nonsense", Buffer.from("from:f").toString("base64url")])("the cursor %j is refused", (cursor) => {
  expect(() => pageOf(2, cursor)).toThrow(
    expect.objectContaining({ code: -32602, message: "Invalid cursor. Start again without one." }),
  );
});
