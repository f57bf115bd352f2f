import { letter, numbers, word, type CodecKind } from "./codec-kind.ts";

/** Values without parts, as text and as values that JSON lacks. */
export const scalarKinds: readonly CodecKind[] = [
  { name: "boolean", type: "boolean", item: (index) => index % 2 === 0 },
  { name: "number", type: "number", item: (index) => index % 10 },
  { name: "int32", type: "Int", declares: "/** @type int32 */ type Int = number;", item: (index) => index % 10 },
  {
    name: "float with multipleOf",
    type: "Step",
    declares: "/** @multipleOf 0.1 */ type Step = number;",
    item: () => 0.5,
  },
  { name: "text", type: "string", item: letter },
  {
    name: "text with lengths",
    type: "Short",
    declares: "/** @minLength 1 @maxLength 100000 */ type Short = string;",
    item: () => "\u{1F600}".repeat(25),
  },
  {
    name: "pattern",
    type: "Slug",
    declares: "/** @pattern ^[a-z0-9]+(?:-[a-z0-9]+)*$ */ type Slug = string;",
    item: () => `${"a-".repeat(100)}a`,
  },
  {
    name: "pattern, small",
    type: "Slug",
    declares: "/** @pattern ^[a-z0-9]+(?:-[a-z0-9]+)*$ */ type Slug = string;",
    item: letter,
  },
  { name: "template", type: "`id-${number}`", item: (index) => `id-${index % 10}` },
  {
    name: "literals",
    type: numbers(40)
      .map((index) => `"${word(index)}"`)
      .join(" | "),
    item: (index) => word(index % 40),
  },
  ...formatKinds(),
  { name: "Date", type: "Date", item: () => "2026-01-01T00:00:00Z" },
  { name: "URL", type: "URL", item: (index) => `u:${letter(index)}` },
  { name: "URL with a host", type: "URL", item: (index) => `http://${letter(index)}.xn--bcher-kva.example/%C3%A4?b#c` },
  { name: "bigint", type: "bigint", item: (index) => String(index % 10) },
  { name: "bigint, longest", type: "bigint", item: () => "9".repeat(1000) },
  { name: "Uint8Array", type: "Uint8Array", item: () => "AA==" },
  { name: "Uint8Array, large", type: "Uint8Array", item: () => "AAAA".repeat(10_000) },
  { name: "Buffer", type: "Buffer", item: () => "AA==" },
];

function formatKinds(): readonly CodecKind[] {
  const texts = {
    uuid: "00000000-0000-0000-0000-000000000000",
    email: "a@b.c",
    hostname: "a.b",
    ipv4: "1.1.1.1",
    ipv6: "::1",
    uri: "u:a",
    "uri-reference": "a",
    "uri-template": "{a}",
    url: "http://a",
    "date-time": "2026-01-01T00:00:00Z",
    date: "2026-01-01",
    time: "00:00:00Z",
    duration: "P1D",
    regex: "a",
    "json-pointer": "/a",
    "relative-json-pointer": "0",
    byte: "AA==",
    "idn-email": "ä@b.c",
    "idn-hostname": "ä.b",
    iri: "u:ä",
    "iri-reference": "ä",
  };
  return Object.entries(texts).map(([format, text]) => ({
    name: `format ${format}`,
    type: "Formatted",
    declares: `/** @format ${format} */ type Formatted = string;`,
    item: () => text,
  }));
}
