import { expect, test } from "vitest";

// Imported by a name that the compiler does not follow, since types of browsers are not known here.
const path: string = "../../../../../../runtime/web/console/parts/linked.tsx";
const { linked } = (await import(path)) as {
  linked(text: string): readonly (string | { readonly props: { readonly to: string } })[] | undefined;
};

/** A text with its links in angle brackets. */
const shown = (text: string): string | undefined =>
  linked(text)
    ?.map((part) => (typeof part === "string" ? part : `<${part.props.to}>`))
    .join("");

test.each([
  ["See https://example.org/a?b=1#c.", "See <https://example.org/a?b=1#c>."],
  ["http://example.org, and (https://example.org/x)", "<http://example.org>, and (<https://example.org/x>)"],
  ["https://example.org/wiki/A_(b)!", "<https://example.org/wiki/A_(b)>!"],
  ['{"at":"https://example.org/a\\nnext"}', '{"at":"<https://example.org/a>\\nnext"}'],
  ["**https://example.org**", "**<https://example.org>**"],
  ["'https://example.org/?'", "'<https://example.org/>?'"],
  ["https://münchen.example/ä\u202egpj.exe", "<https://münchen.example/ä>\u202egpj.exe"],
  ["参照 https://example.org/次。次", "参照 <https://example.org/次>。次"],
  ["https://a.example/x https://b.example/y", "<https://a.example/x> <https://b.example/y>"],
])("addresses in %j", (text, links) => {
  expect(shown(text)).toBe(links);
});

test.each([
  "javascript:alert(1)//https:",
  "data:text/html,x",
  "xhttps://example.org",
  "https://",
  "https://...",
  "ftp://example.org",
  "no address",
  "",
])("no address in %j", (text) => {
  expect(linked(text)).toBeUndefined();
});

test("a link does not tell where it came from", () => {
  const [, link] = linked("https://example.org") ?? [];
  const { type, props } = link as unknown as { type: (props: object) => { props: object }; props: object };
  expect(type(props).props).toMatchObject({
    href: "https://example.org",
    target: "_blank",
    rel: "noreferrer noopener",
  });
});

test("a long text without an end of an address takes little time", () => {
  const began = performance.now();
  linked("https://a(".repeat(50_000));
  linked(`https://a${"(x".repeat(50_000)}`);
  linked(`https://a${".".repeat(100_000)}`);
  expect(performance.now() - began).toBeLessThan(2000);
});
