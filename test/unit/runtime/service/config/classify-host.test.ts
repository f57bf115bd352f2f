import { describe, expect, test } from "vitest";
import { classifyHost, localSuffixes } from "../../../../../runtime/service/config/classify-host.ts";

const suffixes = [...localSuffixes, ".platform.net"];

/** Class of the host of a URL, or that the parser refuses it. */
function classOf(url: string): string {
  const parsed = URL.parse(url);
  return parsed === null ? "refused" : classifyHost(parsed.hostname, suffixes);
}

// Table 1.5 of the reliability reference, and what was found since.
const table: readonly (readonly [url: string, expected: "local" | "external" | "refused"])[] = [
  ["http://EVIL.Local/", "local"],
  ["http://foo.local./", "local"],
  ["http://foo.local../", "external"],
  ["http://ａ.ｌｏｃａｌ/", "local"],
  ["http://ⓐ.ⓛⓞⓒⓐⓛ/", "local"],
  ["http://a.ᴸocal/", "local"],
  ["http://a.lo\u00adcal/", "local"],
  ["http://a。local/", "local"],
  ["http://a.local@attacker.example/", "external"],
  ["http://attacker.example#.local", "external"],
  ["http://attacker.example?.local", "external"],
  ["http://attacker.example/.local", "external"],
  ["http://attacker.example\\.local", "external"],
  ["http://a.local%2eattacker.example/", "external"],
  ["http://a.local\t.attacker.example/", "external"],
  ["http://a.loc%61l/", "local"],
  ["http://a.local.attacker.example/", "external"],
  ["http://attackerlocal/", "external"],
  ["http://local/", "external"],
  ["http://.local/", "external"],
  ["http://a..local/", "external"],
  ["http://a.local,attacker.example/", "external"],
  ["http://a.local;attacker.example/", "external"],
  ["http://attacker.example,a.local/", "external"],
  ["http://0x7f.1/", "external"],
  ["http://2130706433/", "external"],
  ["http://[::ffff:127.0.0.1]/", "external"],
  ["http://127.0.0.1/", "external"],
  ["http://localhost/", "external"],
  ["http://10.0.0.1.local/", "local"],
  ["http://a.local%00.attacker.example/", "refused"],
  ["http://a.local[attacker.example/", "refused"],
  ["http://a.local:99999/", "refused"],
  ["http://a.local:8080/", "local"],
  ["http://xplatform.net/", "external"],
  ["http://platform.net/", "external"],
  ["http://a.platform.net/", "local"],
  ["http://a.platform.io/", "external"],
  ["http://a_b.minikube/", "local"],
  ["http://münchen.local/", "local"],
];

describe("classifyHost", () => {
  test.each(table)("%s is %s", (url, expected) => {
    expect(classOf(url)).toBe(expected);
  });

  test("an upper-case name that no URL parser has seen", () => {
    expect(classifyHost("A.LOCAL", suffixes)).toBe("local");
  });

  test.each(["", ".", "..", " a.local", "a.local ", "a.local\0", "a.local:80", "a@b.local", "a/b.local"])(
    "%j is no name",
    (name) => {
      expect(classifyHost(name, suffixes)).toBe("external");
    },
  );
});
