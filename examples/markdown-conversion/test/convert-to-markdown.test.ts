import { readFileSync } from "node:fs";
import { callTool, fakePlatform } from "tenon/testing";
import { describe, expect, it } from "vitest";
import { convertToMarkdown } from "../src/convert-to-markdown.ts";
import { csvToMarkdown } from "../src/csv-to-markdown.ts";
import { htmlToMarkdown } from "../src/html-to-markdown.ts";

const handbook = readFileSync(new URL("../tests/handbook.html", import.meta.url), "utf8");

describe("convertToMarkdown", () => {
  it("stores the Markdown beside the document, and says what it does", async () => {
    const platform = fakePlatform();
    const { urn } = await platform.uploadArtifact({ name: "a.html", content: "<h1>A</h1>", contentType: "text/html" });
    const { result, steps } = await callTool(convertToMarkdown, { document: urn }, { platform });
    const [, stored] = await platform.artifacts();
    expect(result).toEqual({ document: urn, markdown: stored?.urn, cached: false });
    expect(stored).toMatchObject({ name: "a.html.md", contentType: "text/markdown; charset=utf-8" });
    expect(Buffer.from((await stored?.bytes()) ?? []).toString()).toBe("# A\n");
    expect(steps).toMatchObject([{ name: "convert", finished: { message: "10 characters became 4" } }]);
  });

  it("converts a document once", async () => {
    const platform = fakePlatform();
    const { urn } = await platform.uploadArtifact({ name: "a.csv", content: "a,b\n1,2\n", contentType: "text/csv" });
    const first = await callTool(convertToMarkdown, { document: urn }, { platform });
    const second = await callTool(convertToMarkdown, { document: urn }, { platform });
    expect(second.result).toEqual({ ...first.result, cached: true });
    expect([second.steps, (await platform.artifacts()).length]).toEqual([[], 2]);
  });

  it("does not trust an aspect whose document or Markdown is another one now", async () => {
    const platform = fakePlatform();
    const { urn } = await platform.uploadArtifact({ name: "a.txt", content: "text" });
    const $schema = "urn:example:schema.markdown-conversion.aspect.1";
    for (const sha256 of ["0".repeat(64), (await platform.getArtifact(urn)).sha256]) {
      await platform.updateAspect(urn, { $schema, markdown: "urn:platform:artifact:gone", sha256 });
      expect((await callTool(convertToMarkdown, { document: urn }, { platform })).result.cached).toBe(false);
    }
  });

  it("tells the caller what is wrong with the document", async () => {
    const platform = fakePlatform();
    const { urn } = await platform.uploadArtifact({ name: "a.png", content: "…", contentType: "image/png" });
    await expect(callTool(convertToMarkdown, { document: urn }, { platform })).rejects.toMatchObject({
      kind: "user-input",
      message: expect.stringContaining("A document of type image/png cannot be converted"),
    });
    await expect(
      callTool(convertToMarkdown, { document: "urn:platform:artifact:none" }, { platform }),
    ).rejects.toMatchObject({ kind: "user-input", message: expect.stringContaining("There is no document") });
  });
});

describe("htmlToMarkdown", () => {
  it("keeps what the handbook has", () => {
    expect(htmlToMarkdown(handbook)).toBe(`# Handbook of the *lathe*

Read it **before** you switch it on — all of it.\\
See [safety](https://example.org/safety).

## Parts

- Bed
- Carriage
  1. Saddle
  2. Cross slide

> Never leave the key in the chuck.

\`\`\`
G0 X10
G1 Z-5 F0.2
\`\`\`

| Material | Speed |
| --- | --- |
| Brass \\| bronze | 120 m/min |

---

![The lathe](lathe.png) \`1 < 2\`
`);
  });

  it.each([
    ["", ""],
    ["just text", "just text\n"],
    ["<p>one<p>two", "one\n\ntwo\n"],
    ["<ul><li>a<li>b</ul>", "- a\n- b\n"],
    ["<p>2 * 3 * 4, snake_case and [brackets]</p>", "2 \\* 3 \\* 4, snake\\_case and \\[brackets\\]\n"],
    ["a<script>alert('<p>no</p>')</script>b", "ab\n"],
    ["<p>a</b></p>c", "a\n\nc\n"],
    ["<code>a `tick` b</code>", "``a `tick` b``\n"],
    ["&#x1F600; &#0; &bogus; &amp;lt;", "\u{1f600} \ufffd &bogus; &lt;\n"],
    ['<ol start="3"><li>c</li></ol>', "3. c\n"],
    ["<!-- no --><b></b><h2></h2>", ""],
    ["\u0130<script>no</SCRIPT>b", "\u0130b\n"],
  ])("%j → %j", (html, markdown) => {
    expect(htmlToMarkdown(html)).toBe(markdown);
  });

  it("takes any nesting and any length without falling over", () => {
    expect(htmlToMarkdown("<div>".repeat(100_000) + "deep")).toBe("deep\n");
    expect(htmlToMarkdown("<".repeat(50_000)).length).toBe(50_001);
    for (const text of ["<a ".repeat(60_000), "<!".repeat(300_000), `<${"a".repeat(300_000)}`]) {
      expect(htmlToMarkdown(text)).toBe(`${text.trim()}\n`);
    }
  });

  it("takes any number of blocks, rows and marks", { timeout: 30_000 }, () => {
    const rows = 130_000;
    expect(htmlToMarkdown(`<p>a</p>`.repeat(rows)).length).toBe(rows * 3 - 1);
    expect(htmlToMarkdown(`<table><tbody>${"<tr><td>a</td></tr>".repeat(rows)}`).split("\n").length).toBe(rows + 2);
    expect(htmlToMarkdown(`<pre>${"` ".repeat(rows)}</pre>`).length).toBeGreaterThan(rows);
  });
});

describe("csvToMarkdown", () => {
  it("reads quotes, line breaks in fields and rows of different lengths", () => {
    expect(csvToMarkdown('name,text\r\n"A ""B""","x\ny"\r\nshort\n')).toBe(
      '| name | text |\n| --- | --- |\n| A "B" | x y |\n| short |  |\n',
    );
  });

  it("takes any number of rows", () => {
    expect(csvToMarkdown("a,b\n".repeat(130_000)).split("\n").length).toBe(130_002);
  });

  it("of nothing is nothing", () => {
    expect(csvToMarkdown("")).toBe("");
  });
});
