import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  decodeBigInt,
  decodeBuffer,
  decodeBytes,
  decodeDate,
  decodeSet,
  decodeUrl,
  encodeBigInt,
  encodeBytes,
  encodeDate,
  encodeSet,
  encodeUrl,
} from "../../../../../../runtime/contract/validation/codecs/codecs.ts";
import { isUnique } from "../../../../../../runtime/contract/validation/json-value.ts";
import {
  isBase64,
  isBigIntText,
  longestBigInt,
} from "../../../../../../runtime/contract/validation/formats/text-formats.ts";
import { isDateTime } from "../../../../../../runtime/contract/validation/formats/time-formats.ts";
import { isUri } from "../../../../../../runtime/contract/validation/formats/uri-formats.ts";
import { processorTime } from "../../../../../support/processor-time.ts";

interface Codec {
  readonly isLegal: (text: unknown) => boolean;
  readonly decode: (text: string) => unknown;
  readonly encode: (value: unknown) => unknown;
  readonly texts: fc.Arbitrary<string>;
}

const two = (most: number): fc.Arbitrary<string> =>
  fc.integer({ min: 0, max: most }).map((number) => String(number).padStart(2, "0"));

/** Times with every offset and leap seconds, often on the first and the last day that there is. */
const dateTimes = fc
  .tuple(
    fc.oneof(
      fc.constantFrom("0000-01-01", "9999-12-31", "2016-12-31", "1969-12-31", "2024-02-29", "0099-12-31"),
      fc
        .date({ min: new Date("0000-01-01T00:00:00Z"), max: new Date("9999-12-31T00:00:00Z"), noInvalidDate: true })
        .map((date) => date.toISOString().slice(0, 10)),
    ),
    fc.constantFrom("T", "t"),
    fc.oneof(fc.tuple(two(24), two(60), two(61)), fc.constant(["23", "59", "60"]), fc.constant(["00", "00", "00"])),
    fc.oneof(
      fc.constant(""),
      fc.string({ unit: fc.constantFrom(..."0123456789"), minLength: 1, maxLength: 20 }).map((digits) => `.${digits}`),
    ),
    fc.oneof(
      fc.constantFrom("Z", "z", "+00:00", "-00:00", "+23:59", "-23:59"),
      fc
        .tuple(fc.constantFrom("+", "-"), two(24), two(60))
        .map(([sign, hours, minutes]) => `${sign}${hours}:${minutes}`),
    ),
  )
  .map(([day, separator, time, fraction, zone]) => `${day}${separator}${time.join(":")}${fraction}${zone}`);

const uriLetters = fc.constantFrom(..."abcz019-._~:/?#[]@!$&'()*+,;=%AF|", "%2F", "%C3%BC", "%00", "//", "..", "xn--");
const uris = fc.oneof(
  fc.webUrl({ withFragments: true, withQueryParameters: true, validSchemes: ["http", "https", "ftp", "ws"] }),
  fc
    .tuple(
      fc.constantFrom(
        "http://",
        "https://",
        "HTTP:",
        "file:///",
        "urn:",
        "mailto:",
        "data:",
        "a:",
        "x-y://",
        "ws://",
        "a:/",
      ),
      fc.string({ unit: uriLetters, maxLength: 40 }),
    )
    .map((parts) => parts.join("")),
);

const digits = fc.string({ unit: fc.constantFrom(..."0123456789"), maxLength: 60 });

const codecs: Readonly<Record<string, Codec>> = {
  Date: { isLegal: isDateTime, decode: decodeDate, encode: encodeDate, texts: dateTimes },
  URL: { isLegal: isUri, decode: decodeUrl, encode: encodeUrl, texts: uris },
  bigint: {
    isLegal: isBigIntText,
    decode: decodeBigInt,
    encode: encodeBigInt,
    texts: fc
      .tuple(fc.constantFrom("", "-"), fc.integer({ min: 1, max: 30 }), digits)
      .map(([sign, times, text]) => sign + text.repeat(times)),
  },
  Uint8Array: {
    isLegal: isBase64,
    decode: decodeBytes,
    encode: encodeBytes,
    texts: fc
      .tuple(fc.string({ unit: fc.constantFrom(..."ABz019+/"), maxLength: 40 }), fc.constantFrom("", "=", "=="))
      .map((parts) => parts.join("")),
  },
  Buffer: {
    isLegal: isBase64,
    decode: decodeBuffer,
    encode: encodeBytes,
    texts: fc.base64String({ maxLength: 100 }),
  },
};

describe.each(Object.entries(codecs))("%s", (_, { isLegal, decode, encode, texts }) => {
  test("whatever was let in goes out again as a legal text, which means the same", () => {
    let seen = 0;
    fc.assert(
      fc.property(texts, (text) => {
        if (!isLegal(text)) return;
        seen++;
        const value = decode(text);
        const encoded = encode(value);
        expect([text, encoded]).toEqual([text, expect.any(String)]);
        expect([text, encoded, isLegal(encoded)]).toEqual([text, encoded, true]);
        expect(decode(String(encoded))).toEqual(value);
        expect(encode(decode(String(encoded)))).toBe(encoded);
      }),
      { numRuns: 5000, seed: 20261122 },
    );
    expect(seen).toBeGreaterThan(300);
  });

  test("a set of them goes out as distinct texts, however they were spelled", () => {
    fc.assert(
      fc.property(fc.uniqueArray(texts, { maxLength: 10 }), (list) => {
        const set = decodeSet(list.filter(isLegal), decode as (value: never) => unknown);
        const encoded = encodeSet(set, encode as (value: never) => unknown);
        expect(isUnique(encoded as readonly unknown[])).toBe(true);
      }),
      { numRuns: 500, seed: 20261122 },
    );
  });
});

test("different spellings of one instant, and of the same bytes", () => {
  const times = ["2020-01-01T00:00:00Z", "2020-01-01T01:00:00+01:00"];
  expect(encodeSet(decodeSet(times, decodeDate), encodeDate)).toEqual(["2020-01-01T00:00:00.000Z"]);
  expect(encodeSet(decodeSet(["AA==", "AB=="], decodeBytes), encodeBytes)).toEqual(["AA=="]);
});

test.each([
  ["9999-12-31T23:59:59-23:59", false],
  ["9999-12-31T23:59:60Z", false],
  ["9999-12-31T23:59:59.999Z", true],
  ["9999-12-31T00:00:00+23:59", true],
  ["0000-01-01T00:00:00+00:01", false],
  ["0000-01-01T00:00:00-23:59", true],
])("%s is a date-time that UTC can name: %s", (text, legal) => {
  expect(isDateTime(text)).toBe(legal);
});

test("a bigint has a limit of digits on both ways", () => {
  const longest = "9".repeat(longestBigInt);
  expect([isBigIntText(longest), encodeBigInt(BigInt(longest))]).toEqual([true, longest]);
  expect([isBigIntText(`${longest}9`), typeof encodeBigInt(BigInt(`${longest}9`))]).toEqual([false, "symbol"]);
  expect(typeof encodeBigInt(-BigInt(longest))).toBe("symbol");
  expect(typeof encodeBigInt(1n << 1_000_000n)).toBe("symbol");
});

/** A megabyte of the texts that cost most. */
const hardest: Readonly<Record<string, readonly string[]>> = {
  Date: Array.from({ length: 40_000 }, () => "9999-12-31T23:59:59.999+23:59"),
  URL: [`http://a/${"|a".repeat(1)}`.replaceAll("|", "%7C"), `http://a/${"a/../".repeat(200_000)}?${"%20".repeat(10)}`],
  bigint: Array.from({ length: 800 }, () => "9".repeat(longestBigInt)),
  Uint8Array: ["A".repeat(1_000_000)],
  Buffer: ["A".repeat(1_000_000)],
};

test.each(Object.entries(codecs))("a megabyte of %s takes a moment, not half a second", (name, codec) => {
  const texts = hardest[name] ?? [];
  const begin = processorTime();
  const areLegal = texts.every((text) => codec.isLegal(text));
  const values = texts.map((text) => codec.decode(text));
  for (const value of values) codec.encode(value);
  const taken = processorTime() - begin;
  expect(areLegal).toBe(true);
  expect(taken).toBeLessThan(400);
});
