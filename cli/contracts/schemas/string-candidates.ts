import type { FullSchema } from "../../../runtime/contract/validation/report/schema.ts";
import { patternTexts } from "./pattern-texts.ts";

/** Maximum length of a text in a finding. */
const longest = 20_000;

/** Texts of each format, and a way to make a text longer. */
const formatTexts: Readonly<Record<string, readonly [texts: readonly string[], grown?: (size: number) => string]>> = {
  byte: [["", "QUJD", "QQ=="], (size) => "QUJD".repeat(Math.ceil(size / 4))],
  password: [["a", ""]],
  regex: [["a", "", "^a+$"], (size) => "a".repeat(size)],
  uuid: [["0190a1b2-0000-7000-8000-000000000000", "0190A1B2-0000-7000-8000-00000000000F"]],
  email: [
    ["a@b.de", '"a b"@b.de', "a@[127.0.0.1]"],
    (size) => `${"a".repeat(Math.max(1, Math.min(60, size - 5)))}@b.de`,
  ],
  "idn-email": [["a@b.de", "é@é.de"]],
  hostname: [["example.org", "a", "127.0.0.1"], (size) => hostOf(size)],
  "idn-hostname": [["example.org", "é.de"], (size) => hostOf(size)],
  iri: [["http://a.de/b", "http://é.de/é"], (size) => `http://a.de/${"a".repeat(size)}`],
  "iri-reference": [["/a", "é", "http://a.de/b", ""], (size) => "a".repeat(size)],
  ipv4: [["127.0.0.1", "10.0.0.255"]],
  ipv6: [["::1", "2001:db8::1", "::ffff:1.2.3.4"]],
  uri: [["http://a.de/b", "urn:a:b", "mailto:a@b.de"], (size) => `urn:a:${"a".repeat(Math.max(1, size - 6))}`],
  "uri-reference": [["/a", "a", "http://a.de/b", "", "?c#d"], (size) => "a".repeat(size)],
  "uri-template": [["/{a}", "/a", "http://a.de/{b}", ""], (size) => "a".repeat(size)],
  url: [["http://a.de/b", "http://localhost/"], (size) => `http://a.de/${"a".repeat(Math.max(0, size - 12))}`],
  "date-time": [
    ["2026-01-31T12:00:00Z", "2026-01-31t12:00:00.5+05:30"],
    (size) => fraction("2026-01-31T12:00:00", size),
  ],
  date: [["2026-01-31", "0001-01-01"]],
  time: [["12:00:00Z", "12:00:00.5+05:30"], (size) => fraction("12:00:00", size)],
  duration: [["PT30S", "P1D", "P1Y2M3DT4H5M6S"], (size) => `PT${"1".repeat(Math.max(1, size - 3))}S`],
  "json-pointer": [["/a", "", "/a/0"], (size) => `/${"a".repeat(Math.max(0, size - 1))}`],
  "relative-json-pointer": [["0", "1/a", "0#"], (size) => `0/${"a".repeat(Math.max(0, size - 2))}`],
};
const plain = ["", "a", "A", "0", "1", "-1", " ", "ab", "é", "😀", "a b", "true", "null", "~", "\n", "/", "a.b", "a@"];

function hostOf(size: number): string {
  return Array.from({ length: Math.ceil(Math.min(size, 250) / 50) }, () => "a".repeat(49)).join(".");
}

function fraction(time: string, size: number): string {
  return `${time}.${"1".repeat(Math.max(1, size - time.length - 2))}Z`;
}

/** Texts near every length, format and pattern of the schemas, those of the first schema first. */
export function* stringCandidates(...schemas: readonly FullSchema[]): Iterable<string> {
  const seen = new Set<string>();
  for (const text of everyText(schemas)) {
    if (seen.has(text) || text.length > longest * 2) continue;
    seen.add(text);
    yield text;
  }
}

function* everyText(schemas: readonly FullSchema[]): Iterable<string> {
  const sizes = sizesOf(schemas);
  for (const { format } of schemas) if (format !== undefined) yield* formatTexts[format]?.[0] ?? [];
  const patterns = schemas.flatMap(({ pattern, allOf = [] }) => [pattern, ...allOf.map((part) => part.pattern)]);
  const matching = patterns.flatMap((pattern) => (pattern === undefined ? [] : patternTexts(pattern, sizes)));
  yield* matching;
  yield* plain;
  for (const size of sizes) {
    yield "a".repeat(size);
    for (const { format = "" } of schemas) {
      const grown = formatTexts[format]?.[1];
      if (grown === undefined) continue;
      for (const more of [0, 1, 2, 4, 8]) yield grown(size + more);
    }
  }
  for (const size of sizes) {
    for (const text of matching.slice(0, 20)) yield text.padEnd(size, text.at(-1) ?? "a");
    yield "0".repeat(size);
    yield "😀".repeat(size);
  }
  for (const text of matching.slice(0, 60)) {
    yield* [text.slice(0, -1), text.slice(1), `${text}a`, `a${text}`, `${text}0`, text.toUpperCase(), text + text];
    yield* [text.toLowerCase(), `${text} `, `${text}\n`, text.replace(/[a-z]/, "0"), text.replace(/\d/, "a")];
  }
  for (const texts of Object.values(formatTexts)) yield* texts[0];
}

function sizesOf(schemas: readonly FullSchema[]): readonly number[] {
  const bounds = schemas.flatMap(({ minLength, maxLength }) => [minLength, maxLength]);
  const near = bounds.flatMap((bound) => (bound === undefined ? [] : [bound, bound - 1, bound + 1]));
  return [...new Set(near)].filter((size) => size >= 0 && size <= longest).toSorted((a, b) => a - b);
}
