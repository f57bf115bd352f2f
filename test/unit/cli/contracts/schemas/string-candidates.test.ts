import { expect, test } from "vitest";
import { compareContracts } from "../../../../../cli/contracts/compare-contracts.ts";
import type { Contract } from "../../../../../cli/contracts/contract.ts";
import { stringCandidates } from "../../../../../cli/contracts/schemas/string-candidates.ts";
import { reportProblems } from "../../../../../runtime/contract/validation/report/report.ts";
import type { JsonSchema } from "../../../../../runtime/contract/contract.ts";

/** A service whose tool takes one text. */
function taking(text: JsonSchema): Contract {
  const schema = { type: "object", properties: { text }, required: ["text"] };
  const tool = { name: "take", description: "Takes a text.", annotations: {}, "request-schema": schema };
  return { name: "Own", version: "1.0.0", tools: [tool] } as unknown as Contract;
}

const formats =
  "byte password regex uuid email idn-email hostname idn-hostname iri iri-reference ipv4 ipv6 uri uri-reference " +
  "uri-template url date-time date time duration json-pointer relative-json-pointer";

/** The texts that prove what stops callers of a text. */
function proofs(before: JsonSchema, after: JsonSchema): readonly unknown[] {
  return compareContracts(taking(before), taking(after)).flatMap(({ severity, witness }) =>
    severity === "breaking" ? [(witness?.value as { readonly text?: unknown } | undefined)?.text] : [],
  );
}

test.each([
  ["byte", "^.+$", ""],
  ["byte", "^[^=]*$", "QQ=="],
  ["byte", "^(?:|.*=)$", "QUJD"],
  ["password", "^.+$", ""],
  ["password", "^$", "a"],
  ["regex", "^a*$", "^a+$"],
  ["uuid", "^[^A-F]+$", "0190A1B2-0000-7000-8000-00000000000F"],
  ["uuid", "[A-F]", "0190a1b2-0000-7000-8000-000000000000"],
  ["email", '^[^"]+$', '"a b"@b.de'],
  ["email", "^[^[]+$", "a@[127.0.0.1]"],
  ["email", '["[]', "a@b.de"],
  ["idn-email", "^[ -~]+$", "é@é.de"],
  ["hostname", "[a-z]", "127.0.0.1"],
  ["hostname", "\\.", "a"],
  ["hostname", "^[^m-x]+$", "example.org"],
  ["idn-hostname", "^[ -~]+$", "é.de"],
  ["iri", "^[ -~]+$", "http://é.de/é"],
  ["iri-reference", "^[ -~]*$", "é"],
  ["iri-reference", "^.+$", ""],
  ["iri-reference", "^[^:]*$", "http://a.de/b"],
  ["ipv4", "^[^5]+$", "10.0.0.255"],
  ["ipv4", "5$", "127.0.0.1"],
  ["ipv6", "^[^.]+$", "::ffff:1.2.3.4"],
  ["ipv6", "^[^d]+$", "2001:db8::1"],
  ["ipv6", "[df]", "::1"],
  ["uri", "^[^@]+$", "mailto:a@b.de"],
  ["uri", "^(?!urn)", "urn:a:b"],
  ["uri", "^[^/]+$", "http://a.de/b"],
  ["uri-reference", "^[^?]*$", "?c#d"],
  ["uri-reference", "^.+$", ""],
  ["uri-reference", "^[^:]*$", "http://a.de/b"],
  ["uri-reference", "^(?!a$)", "a"],
  ["uri-template", "^[^{]*$", "/{a}"],
  ["uri-template", "^[^:]*$", "http://a.de/{b}"],
  ["uri-template", "^.+$", ""],
  ["url", "\\.", "http://localhost/"],
  ["url", "localhost", "http://a.de/b"],
  ["date-time", "Z$", "2026-01-31t12:00:00.5+05:30"],
  ["date-time", "0$", "2026-01-31T12:00:00Z"],
  ["date", "^2", "0001-01-01"],
  ["date", "^0", "2026-01-31"],
  ["time", "Z$", "12:00:00.5+05:30"],
  ["time", "0$", "12:00:00Z"],
  ["duration", "T", "P1D"],
  ["duration", "^[^Y]+$", "P1Y2M3DT4H5M6S"],
  ["duration", "D", "PT30S"],
  ["json-pointer", "^.+$", ""],
  ["json-pointer", "^[^0]*$", "/a/0"],
  ["relative-json-pointer", "^[^#]+$", "0#"],
  ["relative-json-pointer", "^[^/]+$", "1/a"],
])(
  "that a text of the format %s must match /%s/ now is proven by a text of that format: %j",
  (format, pattern, text) => {
    expect(proofs({ type: "string", format }, { type: "string", format, pattern })).toEqual([text]);
  },
);

test.each([
  ["byte", 100, 8],
  ["regex", 100, 8],
  ["email", 40, 8],
  ["hostname", 100, 49],
  ["idn-hostname", 100, 49],
  ["iri", 100, 11],
  ["iri-reference", 100, 8],
  ["uri", 100, 8],
  ["uri-reference", 100, 8],
  ["uri-template", 100, 8],
  ["url", 100, 8],
  ["date-time", 100, 8],
  ["time", 100, 8],
  ["duration", 100, 8],
  ["json-pointer", 100, 8],
  ["relative-json-pointer", 100, 8],
])(
  "a limit for texts of the format %s to %i letters is proven by a text that is longer by %i at most",
  (format, maxLength, most) => {
    const found = proofs({ type: "string", format }, { type: "string", format, maxLength });
    expect(found).toHaveLength(1);
    const { length } = String(found[0]);
    expect(length).toBeGreaterThan(maxLength);
    expect(length).toBeLessThanOrEqual(maxLength + most);
  },
);

test.each(formats.split(" "))("the first texts that are tried for the format %s are of it", (format) => {
  const schema = { type: "string", format } as const;
  const [first, second] = stringCandidates(schema);
  expect([first, second].flatMap((text) => reportProblems(schema, text))).toEqual([]);
});

test("texts just beside those of a pattern are tried: shorter, longer, twice, and of other letters and digits", () => {
  const tried = new Set(stringCandidates({ type: "string", pattern: "^xY7$" }));
  const beside = "xY7 xY Y7 xY7a axY7 xY70 XY7 xY7xY7 xy7 0Y7 xYa".split(" ");
  expect([...beside, "xY7 ", "xY7\n"].filter((text) => !tried.has(text))).toEqual([]);
});

test("texts of a limit and one letter beside it are tried, each text once", () => {
  const tried = [...stringCandidates({ type: "string", minLength: 30, maxLength: 50 })];
  expect(tried).toHaveLength(new Set(tried).size);
  for (const letter of ["a", "0", "😀"])
    expect([29, 30, 31, 49, 50, 51].filter((size) => !tried.includes(letter.repeat(size)))).toEqual([]);
});
