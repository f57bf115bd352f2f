import { describe, expect, test } from "vitest";
import type { TypeModel } from "../../../../../plugin/model/type.ts";
import { decodeRequest } from "../../../../../runtime/executor/run/decode-request.ts";
import type { Tool } from "../../../../../runtime/service/tools/tool.ts";
import { loadField } from "../../../plugin/emit/load-tool.ts";

describe("decodeRequest", () => {
  test("names the item that means the same as an earlier one", async () => {
    const type: TypeModel = { kind: "map", values: { kind: "array", items: { kind: "date" }, uniqueItems: true } };
    const tool = { ...loadField(type), options: {} };
    const functions = { isRequest: tool.isRequest, decodeRequest: tool.decodeRequest };
    const wire = { value: { "a/b": ["2026-01-31T12:00:00Z", "2026-01-31T13:00:00+01:00"] } };
    const decoded = async (): Promise<unknown> => decodeRequest({ ...tool, functions } as unknown as Tool, wire);
    await expect(decoded()).rejects.toMatchObject({
      kind: "validation",
      problems: [
        {
          path: "/value/a~1b/1",
          expected: "item that differs from all others",
          message: "Expected distinct items, but items 0 and 1 mean the same value.",
        },
      ],
    });
  });
});
