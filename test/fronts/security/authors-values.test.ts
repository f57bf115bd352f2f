import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ValueError } from "../../../runtime/base/errors.ts";
import { createExecutor } from "../../../runtime/executor/job-executor.ts";
import { createMemoryStore } from "../../../runtime/executor/store/memory/memory.ts";
import { BinaryResult } from "../../../runtime/job/binary-result.ts";
import { describeThrown } from "../../../runtime/telemetry/log/describe-thrown.ts";
import { fakeTool } from "../../support/fake-tool.ts";
import { json, serve, type TestServer } from "../../support/serve.ts";

const megabytes = (count: number): string => "x".repeat(count * 1024 * 1024);

describe("what an author's value can make of an answer", () => {
  let server: TestServer;
  beforeAll(async () => {
    const typed = (contentType: string): ReturnType<typeof fakeTool> =>
      fakeTool(() => new BinaryResult(contentType, "<script>alert(1)</script>"), {
        name: contentType.replaceAll(/\W/g, "_"),
        path: `/${contentType.replaceAll(/\W/g, "_")}`,
        resultKind: "binary",
      });
    const refusing = fakeTool(
      () => {
        throw new ValueError(megabytes(5));
      },
      { name: "refusing", path: "/refusing" },
    );
    const text = fakeTool(() => "<script>", { name: "text", path: "/text", resultKind: "text" });
    const list = fakeTool(() => 1, {
      name: "list",
      path: "/list",
      request: { type: "array", items: { type: "number" } },
    });
    const record = fakeTool(() => 1, {
      name: "record",
      path: "/record",
      request: { type: "object", additionalProperties: { type: "number" } },
    });
    const types = ["text/html", "image/svg+xml", "application/xhtml+xml", "text/javascript", "application/x-own"];
    server = await serve([refusing, text, list, record, ...[...types, "image/png", "application/pdf"].map(typed)]);
  });
  afterAll(() => server.stop());

  test.each(["text/html", "image/svg+xml", "application/xhtml+xml", "text/javascript"])(
    "%s is saved, and runs nothing of it",
    async (type) => {
      const { headers } = await server.post(
        `/${type.replaceAll(/\W/g, "_")}`,
        {},
        { "job-id": type.replace(/\W/g, ".") },
      );
      expect(headers.get("content-type")).toBe(type);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("content-security-policy")).toBe("sandbox; default-src 'none'");
      expect(headers.get("content-disposition")).toBe("attachment");
    },
  );

  test("the same when it is asked for again", async () => {
    await server.post("/text_html", {}, { "job-id": "page" });
    const { headers } = await server.get("/jobs/page");
    expect(headers.get("content-security-policy")).toBe("sandbox; default-src 'none'");
    expect(headers.get("content-disposition")).toBe("attachment");
  });

  test.each([
    ["text", null],
    ["image_png", null],
    ["application_pdf", null],
    ["application_x_own", "sandbox; default-src 'none'"],
  ])("%s is shown, and no other type is guessed", async (name, policy) => {
    const { headers } = await server.post(`/${name}`, {});
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect([headers.get("content-security-policy"), headers.get("content-disposition")]).toEqual([policy, null]);
  });

  test("a ValueError of 5 MB is cut", async () => {
    const answer = await server.post("/refusing", {});
    const { detail } = (await json(answer)) as { detail: string };
    expect([answer.status, detail.length, detail.at(-1)]).toEqual([400, 4000, "…"]);
  });

  test("a report that is cut says so", async () => {
    const { errors } = (await json(
      await server.post(
        "/list",
        Array.from({ length: 500 }, () => "x"),
      ),
    )) as {
      errors: readonly { message: string }[];
    };
    expect(errors).toHaveLength(100);
    expect(errors[99]?.message).toBe("There are more; these are the first 99.");
    const whole = (await json(
      await server.post(
        "/list",
        Array.from({ length: 100 }, () => "x"),
      ),
    )) as typeof errors;
    expect(JSON.stringify(whole)).not.toContain("There are more");
  });

  test("a key of 900 kB is not echoed whole", async () => {
    const answer = await (await server.post("/record", { ["k".repeat(900_000)]: "x" })).text();
    expect(answer.length).toBeLessThan(3000);
  });
});

test.each([
  ["a Uint8Array", new Uint8Array(5 * 1024 * 1024), '""'],
  ["a long text", megabytes(5), '"xxx'],
  ["nothing", undefined, '""'],
])("a BinaryResult with %s as its type throws a short message", (_, type, shown) => {
  let message = "";
  try {
    void new BinaryResult(new Uint8Array(5 * 1024 * 1024), type as string);
  } catch (error) {
    ({ message } = error as Error);
  }
  expect(message).toContain(shown);
  expect(message.length).toBeLessThan(250);
});

test("what the log says of an error is bounded", () => {
  const error = new Error(megabytes(5), { cause: megabytes(5) });
  expect(JSON.stringify(describeThrown(error)).length).toBeLessThan(100_000);
});

test("events carry no value whose field has the name of a secret, to whomever they go", async () => {
  const seen: unknown[] = [];
  const tool = fakeTool((_, job) => {
    job.report.step("load", { apiKey: "hunter2" }, (step) => {
      step.info({
        password: "hunter2",
        nested: { refresh_token: "hunter2", list: [{ secret: "hunter2" }] },
        progress: 5,
      });
      step.finished({ authorization: "hunter2", message: "done" });
    });
    return 1;
  });
  const sinks = [
    { emit: (_: unknown, { body, publicBody }: { body: unknown; publicBody: unknown }) => seen.push(body, publicBody) },
  ];
  const executor = createExecutor({ tools: [tool], store: createMemoryStore(), sinks: sinks as never });
  await executor.start({ tool, input: {} }).done;
  const text = JSON.stringify(seen);
  expect(text).not.toContain("hunter2");
  expect(text).toContain('"password":"[redacted]"');
  expect(text).toContain('"progress":5');
});
