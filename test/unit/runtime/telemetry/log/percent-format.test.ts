import { describe, expect, it } from "vitest";
import { parsePercentFormat, type FormattedRecord } from "../../../../../runtime/telemetry/log/percent-format.ts";

const record: FormattedRecord = {
  created: 1_700_000_000_123,
  name: "app",
  levelname: "WARNING",
  levelno: 30,
  message: "hello",
  source: { path: "/a/b/svc.py", line: 42, function: "fn" },
};

// The right side is what Python's `format % record.__dict__` gives for the same record.
it.each([
  ["%(message)s", "hello"],
  ["%(name)10s|", "       app|"],
  ["%(name)-10s|", "app       |"],
  ["%(levelno)05d", "00030"],
  ["%(levelno)x", "1e"],
  ["%(msecs)03d", "123"],
  ["%(msecs).3f", "123.000"],
  ["%(created)f", "1700000000.123000"],
  ["%(created)d", "1700000000"],
  ["%(message).2s|", "he|"],
  ["%(message)8.2s|", "      he|"],
  ["%(levelname)r", "'WARNING'"],
  ["%(levelno)s", "30"],
  ["%(levelno)5s|", "   30|"],
  ["100%% %(lineno)d %(funcName)s %(filename)s %(module)s %(pathname)s", "100% 42 fn svc.py svc /a/b/svc.py"],
  ["%(levelno)-6d|", "30    |"],
  ["%(levelno)06.3d", "000030"],
  ["%(levelno)i", "30"],
  ["%(levelno).0f", "30"],
  ["%(levelno)-06d|", "30    |"],
  ["%(levelno)08x", "0000001e"],
  ["%(message)07s|", "  hello|"],
  ["%(message).s|", "|"],
])("%s", (text, expected) => {
  expect(parsePercentFormat(text).format(record)).toBe(expected);
});

describe("times", () => {
  const zone = process.env["TZ"];
  const inZone = (name: string, text: string): string => {
    process.env["TZ"] = name;
    try {
      return parsePercentFormat(text).format(record);
    } finally {
      if (zone === undefined) delete process.env["TZ"];
      else process.env["TZ"] = zone;
    }
  };

  it.each([
    ["UTC", "2023-11-14T22:13:20+0000 WARNING (app): hello"],
    ["Asia/Kolkata", "2023-11-15T03:43:20+0530 WARNING (app): hello"],
    ["America/St_Johns", "2023-11-14T18:43:20-0330 WARNING (app): hello"],
  ])("in %s", (name, expected) => {
    expect(inZone(name, "%(asctime)s %(levelname)s (%(name)s): %(message)s")).toBe(expected);
  });
});

it("shows the ids of the job, and a dash for what there is not", () => {
  const { format } = parsePercentFormat("%(job_id)s %(tool)s %(trace_id)s %(span_id)s %(taskName)s");
  expect(format(record)).toBe("- - - - None");
  expect(format({ ...record, job_id: "urn:j", tool: "t", trace_id: "a", span_id: "b" })).toBe("urn:j t a b urn:j");
});

it("says whether the place in the code is needed", () => {
  expect(parsePercentFormat("%(lineno)d").needsSource).toBe(true);
  expect(parsePercentFormat("%(message)s").needsSource).toBe(false);
});

it("knows the process and the thread", () => {
  expect(parsePercentFormat("%(process)d %(processName)s %(threadName)s").format(record)).toBe(
    `${process.pid} MainProcess ${parsePercentFormat("%(threadName)s").format(record)}`,
  );
});

it("does not read a field out of a message", () => {
  expect(parsePercentFormat("%(message)s").format({ ...record, message: "%(name)s $& %s" })).toBe("%(name)s $& %s");
});

describe("bad formats", () => {
  const rest = "a type, one of s, r, d, i, f, x, after at most flags (- or 0), a width and a precision";
  it.each([
    ["plain", "it shows nothing of a record; write at least %(message)s"],
    ["100%%", "it shows nothing of a record; write at least %(message)s"],
    ["%s", '"%s" at character 1 is not a valid field; write %(message)s, or %% for a percent sign'],
    ["%(message)s %", '"%" at character 13 is not a valid field; write %(message)s, or %% for a percent sign'],
    ["%(message", '"%(" at character 1 is not a valid field; write %(message)s, or %% for a percent sign'],
    ["%(message)", "the field %(message) at character 1 must end in {rest}; write %(message)s"],
    ["%(message)*s", "the field %(message) at character 1 must end in {rest}; write %(message)s"],
    ["%(levelno)+d", "the field %(levelno) at character 1 must end in {rest}; write %(levelno)s"],
    ["%(message)y", "the field %(message) at character 1 must end in {rest}; write %(message)s"],
    ["%(msecs)g", "the field %(msecs) at character 1 must end in {rest}; write %(msecs)s"],
    ["%(message)d", "%(message) at character 1 is text, so its type must be s"],
    ["%(message)1000000000s", "the width of %(message) at character 1 is over 1000"],
    ["%(message)1001s", "the width of %(message) at character 1 is over 1000"],
    ["%(message).9999s", "the precision of %(message) at character 1 is over 1000"],
    ["%(msecs).101f", "the precision of %(msecs) at character 1 is over 100"],
    ["a".repeat(5000), "it is longer than 4096 characters"],
  ])("%s", (text, expected) => {
    expect(() => parsePercentFormat(text)).toThrow(new Error(expected.replace("{rest}", rest)));
  });

  it.each(["constructor", "__proto__", "toString", "password"])("there is no attribute %s", (name) => {
    expect(() => parsePercentFormat(`%(${name})s`)).toThrow(
      `there is no attribute "${name}" (at character 1); there are name, levelname, `,
    );
  });
});
