import { fullFormats } from "ajv-formats/dist/formats.js";
import { describe, expect, test } from "vitest";
import { formats } from "../../../../../../runtime/contract/validation/formats/formats.ts";
import { processorTime } from "../../../../../support/processor-time.ts";

/** Texts that each format accepts and refuses; most are those of the JSON Schema test suite and of the RFCs. */
const table: Readonly<Record<string, readonly [accepted: readonly string[], refused: readonly string[]]>> = {
  byte: [
    ["", "QUJD", "QQ==", "QUI=", "+/+/"],
    ["Q", "QQ", "QQ=", "Q===", "QU=D", "QUJ D", "QUJD\n", "QUJ_"],
  ],
  password: [["", "any"], []],
  regex: [
    ["", "^a$", "\\p{L}", "(?<n>a)\\k<n>"],
    ["^(abc]", "\\p{Nope}", "a{2,1}", "\\-", "(".repeat(10), "a".repeat(1001)],
  ],
  uuid: [
    ["0190a1b2-0000-7000-8000-000000000000", "2EB8AA08-AA98-11EA-B4AA-73B441D16380"],
    [
      "",
      "2eb8aa08-aa98-11ea-b4aa-73b441d1638",
      "2eb8aa08aa9811eab4aa73b441d16380",
      "2eb8aa08-aa98-11ea-b4aa-73b441d1638g",
      "2eb8-aa08-aa98-11ea-b4aa73b44-1d16380",
    ],
  ],
  email: [
    [
      "joe.bloggs@example.com",
      "te~st@example.com",
      "~test@example.com",
      '"joe bloggs"@example.com',
      '"joe@b"@example.com',
      "joe@[127.0.0.1]",
      "joe@[IPv6:::1]",
      "a@b.c",
    ],
    [
      "",
      "2962",
      ".test@example.com",
      "test.@example.com",
      "te..st@example.com",
      "joe@localhost",
      "joe@-a.com",
      "joe@[127.0.0.300]",
      "a@b.c\n",
      "@b.c",
      "a@",
      `${"a".repeat(65)}@b.c`,
    ],
  ],
  "idn-email": [
    ["실례@실례.테스트", "joe.bloggs@example.com"],
    ["2962", "실례@", "@실례.테스트", "a b@c.de"],
  ],
  hostname: [
    ["www.example.com", "xn--4gbwdl.xn--wgbh1c", "a", "1host", `${"a".repeat(63)}.de`, "h0stn4me"],
    [
      "",
      "-a.de",
      "a-.de",
      "a..de",
      ".a",
      "a.",
      "under_score.de",
      `${"a".repeat(64)}.de`,
      `${"a.".repeat(127)}aa`,
      "a\n",
      "a b",
    ],
  ],
  "idn-hostname": [
    ["실례.테스트", "example.com", "ß.de", "a。b", "xn--ihqwcrb4cv8a8dqg056pqjye.com", "ab--c.de".slice(0, 2)],
    ["", "-ä.de", "ä-.de", "〮실례.테스트", "ab--ü.de", "a b.de", `${"ä".repeat(64)}.de`],
  ],
  ipv4: [
    ["192.168.0.1", "0.0.0.0", "255.255.255.255"],
    ["", "127.0.0.0.1", "256.1.1.1", "1.1.1", "0x7f000001", "087.10.0.1", "1২7.0.0.1", "192.168.0.1/24", " 1.1.1.1"],
  ],
  ipv6: [
    [
      "::1",
      "::",
      "::abef",
      "1::",
      "::42:ff:1",
      "d6::",
      "1:d6::42",
      "1::d6:192.168.0.1",
      "1:2::192.168.0.1",
      "::ffff:192.168.0.1",
      "1:2:3:4:5:6:7:8",
      "1:2:3:4:5:6:1.2.3.4",
      "::2:3:4:5:6:7:8",
    ],
    [
      "",
      ":",
      ":::",
      "12345::",
      "::abcef",
      "1:1:1:1:1:1:1:1:1:1:1",
      "::laptop",
      ":2:3:4:5:6:7:8",
      "1:2:3:4:5:6:7:",
      ":2:3:4::8",
      "1::d6::42",
      "1::2:192.168.256.1",
      "1::2:192.168.ff.1",
      "::ffff:127.0.0",
      "1:2:3:4:5:6:7:1.2.3.4",
      "1.2.3.4::",
      "fe80::a%eth1",
      "::1/64",
      "1:2:3:4:5:6:7",
      "1",
      "127.0.0.1",
      "1:2:3:4:1.2.3.4",
      "[::1]",
      "::১",
      "1:2:3:4:5:6:7:8::",
    ],
  ],
  uri: [
    [
      "http://foo.bar/?baz=qux#quux",
      "http://foo.com/blah_(wikipedia)_blah#cite-1",
      "http://foo.bar/?q=Test%20URL-encoded%20stuff",
      "http://xn--nw2a.xn--j6w193g/",
      "http://-.~_!$&'()*+,;=:%40:80%2f::::::@example.com",
      "http://223.255.255.254",
      "ftp://ftp.is.co.za/rfc/rfc1808.txt",
      "ldap://[2001:db8::7]/c=GB?objectClass?one",
      "mailto:John.Doe@example.com",
      "tel:+1-816-555-1212",
      "urn:oasis:names:specification:docbook:dtd:xml:4.1.2",
      "a:",
      "file:///etc/x",
    ],
    [
      "",
      "//foo.bar/?baz=qux#quux",
      "/abc",
      "\\\\WINDOWS\\fileshare",
      "abc",
      "http:// shouldfail.com",
      ":// should fail",
      "bar,baz:foo",
      "https://[@example.org/test.txt",
      "https://example.org/foobar\\.txt",
      "https://example.org/foobar<>.txt",
      "https://example.org/foobar{}.txt",
      "https://example.org/foobar^.txt",
      "https://example.org/foobar`.txt",
      "https://example.org/foo bar.txt",
      "https://example.org/foobar|.txt",
      "http://a.de:99999/",
      "http://",
      "http://a%zz",
      "http://ä.de",
    ],
  ],
  "uri-reference": [
    ["http://foo.bar/?baz=qux#quux", "//foo.bar/?baz=qux#quux", "/abc", "abc", "#fragment", "", "?q", "./a:b", "a/b:c"],
    ["\\\\WINDOWS\\fileshare", "#frag\\ment", "1a:b", ":a", "a b", "/a%", "//a:b"],
  ],
  "uri-template": [
    [
      "http://example.com/dictionary/{term:1}/{term}",
      "dictionary/{term:1}/{term}",
      "",
      "{?a,b*}",
      "{+path}",
      "{a.b}",
      "/ä",
      "{%41}",
    ],
    [
      "http://example.com/dictionary/{term:1}/{term",
      "{",
      "}",
      "{}",
      "{a,}",
      "{a b}",
      "{a:0}",
      "{a:10000}",
      "a b",
      "%",
      "{{a}}",
    ],
  ],
  iri: [
    [
      "http://ƒøø.ßår/?∂éœ=πîx#πîüx",
      "http://ƒøø.com/blah_(wîkïpédiå)_blah#ßité-1",
      "http://[2001:0db8:85a3:0000:0000:8a2e:0370:7334]",
    ],
    ["http://2001:0db8:85a3:0000:0000:8a2e:0370:7334", "/abc", "\\\\WINDOWS\\filëßåré", "âππ", "http://a b"],
  ],
  "iri-reference": [
    ["http://ƒøø.ßår/?∂éœ=πîx#πîüx", "//ƒøø.ßår/?∂éœ=πîx#πîüx", "/âππ", "âππ", "#ƒrägmênt", ""],
    ["\\\\WINDOWS\\filëßåré", "#ƒräg\\mênt", "a\u0080b", "\ud800"],
  ],
  url: [
    [
      "https://example.org/path?q#f",
      "http://localhost:8080",
      "http://10.0.0.1/",
      "ftp://a.de",
      "http://ä.de/ö",
      "HTTP://A.DE",
    ],
    [
      "",
      "mailto:a@b.de",
      "javascript:alert(1)",
      "http://",
      "http:///a",
      "http:a.de",
      "example.org",
      "http://a b",
      "http://a.de:99999",
    ],
  ],
  "date-time": [
    [
      "1963-06-19T08:30:06.283185Z",
      "1963-06-19T08:30:06Z",
      "1937-01-01T12:00:27.87+00:20",
      "1990-12-31T15:59:50.123-08:00",
      "1998-12-31T23:59:60Z",
      "1998-12-31T15:59:60.123-08:00",
      "1963-06-19t08:30:06.283185z",
      "2024-02-29T00:00:00Z",
      "0000-01-01T00:00:00Z",
    ],
    [
      "",
      "1998-12-31T23:59:61Z",
      "1998-12-31T23:58:60Z",
      "1998-12-31T22:59:60Z",
      "1990-02-31T15:59:59.123-08:00",
      "1990-12-31T15:59:59-24:00",
      "1963-06-19T08:30:06.28123+01:00Z",
      "06/19/1963 08:30:06 PST",
      "2013-350T01:01:01",
      "1963-6-19T08:30:06.283185Z",
      "1963-06-1T00:00:00Z",
      "1963-06-1৪T00:00:00Z",
      "1963-06-11T0৪:00:00Z",
      "1963-06-19 08:30:06Z",
      "1963-06-19T08:30:06",
      "2023-02-29T00:00:00Z",
      "1963-06-19T24:00:00Z",
      "1963-06-19T08:30:06.Z",
      "1963-06-19T08:30:06Z\n",
      "+11963-06-19T08:30:06Z",
    ],
  ],
  date: [
    ["1963-06-19", "2020-02-29", "2000-02-29", "2020-12-31"],
    [
      "",
      "2021-02-29",
      "1900-02-29",
      "2020-04-31",
      "2020-13-01",
      "2020-00-01",
      "2020-01-00",
      "06/19/1963",
      "1963-06-1৪",
      "20230328",
      "1998-1-20",
      "2020-01-01\n",
      "2020-01-01Z",
    ],
  ],
  time: [
    [
      "08:30:06Z",
      "23:59:60Z",
      "01:29:60+01:30",
      "23:29:60+23:30",
      "15:59:60-08:00",
      "00:29:60+00:30",
      "23:20:50.52Z",
      "08:30:06+00:20",
      "08:30:06z",
    ],
    [
      "",
      "008:030:006Z",
      "8:3:6Z",
      "8:0030:6Z",
      "22:59:60Z",
      "23:58:60Z",
      "23:59:60+01:00",
      "23:59:60+00:30",
      "24:00:00Z",
      "00:60:00Z",
      "00:00:61Z",
      "01:02:03+24:00",
      "01:02:03+00:60",
      "01:02:03Z+00:30",
      "08:30:06 PST",
      "01:01:01,1111",
      "12:00:00",
      "12:00:00+05",
      "12:00:00+0530",
      "08:30:06#00:20",
      "ab:cd:efZ",
    ],
  ],
  duration: [
    ["P4DT12H30M5S", "P4Y", "PT0S", "P0D", "P1M", "PT1M", "PT36H", "P1DT12H", "P2W"],
    ["", "PT1D", "4DT12H30M5S", "P", "P1YT", "PT", "P2D1Y", "P1D2H", "P2S", "P1Y2W", "P১Y", "P1", "p1d"],
  ],
  "json-pointer": [
    ["", "/", "/foo/bar~0/baz~1/%a", "/foo//bar", "/a b", "/\\", "/-", "/é"],
    ["#", "#/", "a", "0", "/foo/bar~", "/~0~", "/~2", "/~-1"],
  ],
  "relative-json-pointer": [
    ["1", "0", "0/foo/bar", "2/0/baz/1/zip", "0#", "120/a"],
    ["", "/foo/bar", "-1/foo/bar", "+1/foo", "0##", "01/a", "01#", "1a", "1/~"],
  ],
};

describe.each(Object.entries(table))("%s", (name, [accepted, refused]) => {
  test.each(accepted)("accepts %j", (text) => expect(formats[name]?.(text)).toBe(true));
  test.each(refused)("refuses %j", (text) => expect(formats[name]?.(text)).toBe(false));
});

test("every format has a table, and none accepts anything but a text", () => {
  expect(Object.keys(table).toSorted()).toEqual(Object.keys(formats).toSorted());
  for (const [name, isOfFormat] of Object.entries(formats)) {
    for (const value of [null, undefined, 1, true, {}, ["a"], Symbol("a")])
      expect([name, isOfFormat(value)]).toEqual([name, false]);
  }
});

/** Differences from ajv-formats on the tables above; the reasons stand at `formats`. */
const differences: Readonly<Record<string, readonly string[]>> = {
  byte: ["QUJD\n"],
  regex: ["\\p{Nope}", "\\-", "a".repeat(1001)],
  email: [
    '"joe bloggs"@example.com',
    '"joe@b"@example.com',
    "joe@[127.0.0.1]",
    "joe@[IPv6:::1]",
    `${"a".repeat(65)}@b.c`,
  ],
  hostname: ["a."],
  uri: ["a:", "http://a.de:99999/", "http://"],
  "uri-reference": ["1a:b", ":a", "//a:b"],
  "uri-template": ["{a.b}"],
  url: ["http://localhost:8080", "http://10.0.0.1/", "http://a.de:99999"],
  "date-time": ["1963-06-19 08:30:06Z"],
  time: ["12:00:00+05", "12:00:00+0530"],
};

test("the differences from ajv-formats are the documented ones", () => {
  const theirs = fullFormats as unknown as Readonly<
    Record<string, true | RegExp | ((text: string) => boolean) | { validate: (text: string) => boolean }>
  >;
  const judge = (name: string, text: string): boolean => {
    const format = theirs[name];
    if (format === true || format === undefined) return true;
    if (format instanceof RegExp) return format.test(text);
    return typeof format === "function" ? format(text) : format.validate(text);
  };
  const found = Object.fromEntries(
    Object.entries(table).flatMap(([name, [accepted, refused]]) => {
      if (theirs[name] === undefined) return [];
      const texts = [...accepted, ...refused].filter((text) => judge(name, text) !== formats[name]?.(text));
      return texts.length === 0 ? [] : [[name, texts]];
    }),
  );
  expect(found).toEqual(differences);
});

function timeOf(run: () => unknown): number {
  const start = processorTime();
  run();
  return processorTime() - start;
}

describe("a mebibyte of hostile text takes little time (S11)", () => {
  const hostile = [
    "a",
    "1",
    "/",
    ".",
    ":",
    "%41",
    "%",
    "@",
    "a.",
    "a@",
    "[",
    "(",
    "(?:",
    "~0",
    "~",
    "{a}",
    "{",
    "\u00e4",
    "\ud800",
    "\ud83d\ude00",
    "-",
    "a-",
    "=",
    "0:",
    "P1",
    "1Y",
    "\\",
    '"',
    "x*",
    "[a",
    "::",
  ];
  const prefixes = [
    "",
    "http://",
    "http://a.de/",
    "http://a.de/?",
    "a@",
    '"',
    "{",
    "/",
    "1/",
    "P",
    "::",
    "xn--",
    "2026-01-31T12:00:00.",
    "12:00:00.",
    "http://%C3%A4",
  ];
  test.each(Object.entries(formats))("%s", (name, isOfFormat) => {
    const timeAt = (size: number, [prefix, unit]: readonly [string, string]): number => {
      const text = prefix + unit.repeat(Math.ceil(size / unit.length)) + "!";
      // Reading a character makes one flat text of the parts; that is not what is measured.
      text.charCodeAt(size >> 1);
      const time = (): number => timeOf(() => isOfFormat(text));
      return Math.min(time(), time());
    };
    // A text that is slow in the large is the slowest in the small already.
    const slowest = prefixes
      .flatMap((prefix) => hostile.map((unit) => [prefix, unit] as const))
      .map((text) => ({ text, time: timeAt(2 ** 15, text) }))
      .toSorted((a, b) => b.time - a.time)
      .slice(0, 5)
      .map(({ text }) => ({ name, text, time: timeAt(2 ** 20, text) }));
    // 50 ms on a quiet machine; anything that is not linear takes minutes.
    expect(slowest.filter(({ time }) => time >= 500)).toEqual([]);
    if (process.env["SHOW"] !== undefined) console.log(slowest);
  });
});
