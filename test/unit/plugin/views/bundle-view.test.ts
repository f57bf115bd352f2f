import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { cacheFolder } from "../../../../plugin/compile/cache/kept-result.ts";
import { openViewStore } from "../../../../plugin/compile/view-store.ts";
import { bundleView, largestView } from "../../../../plugin/views/bundle-view.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

test("a view larger than hosts load is a problem that says by how much", async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "large.png"), Buffer.alloc((largestView * 3) / 4));
  const file = join(folder, "large.view.html");
  writeFileSync(file, '<img src="large.png" alt="">');
  const { problems } = await bundleView(file);
  expect(problems).toMatchObject([
    { message: expect.stringMatching(/^The view has 40\d{5} bytes; 4000000 are allowed/) },
  ]);
});

test("a view is bundled again after a change of its files only, also by another process", async () => {
  const folder = temporaryFolder();
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  write("package.json", "{}");
  write("tsconfig.json", "{}");
  write("page.view.ts", 'import { words } from "./words.ts";\nimport "./page.css";\ndocument.title = words;\n');
  write("words.ts", 'export const words = "first";\n');
  write("page.css", "p { color: red }\n");
  const read = async (): Promise<string> => (await openViewStore(folder, {}).read(join(folder, "page.view.ts"))).html;
  const first = await read();
  expect(first).toContain("first");
  expect(await read()).toBe(first);
  const store = openViewStore(folder, {});
  const file = join(folder, "page.view.ts");
  expect(await store.read(file)).toBe(await store.read(file));
  write("words.ts", 'export const words = "second";\n');
  expect(await read()).toContain("second");
  write("page.css", "p { color: blue }\n");
  expect(await read()).toContain("color: blue");
});

test("a view is bundled again after whatever changes what its imports mean", async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "views/text"), { recursive: true });
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  const read = async (): Promise<readonly string[]> => {
    const { html } = await openViewStore(folder, {}).read(join(folder, "views/page.view.ts"));
    return ["folder", "file", "first", "second", "third", "fourth"].filter((word) => html.includes(`${word} text`));
  };
  const aliased = (file: string): string => JSON.stringify({ compilerOptions: { paths: { words: [file] } } });
  for (const name of ["first", "second", "third", "fourth"]) write(`${name}.ts`, `export default "${name} text";\n`);
  write("package.json", "{}");
  write("base.json", aliased("./first.ts"));
  write("tsconfig.json", '{ "extends": ["./base"], "references": [] }');
  write(
    "views/page.view.ts",
    'import text from "./text";\nimport words from "words";\ndocument.title = text + words;\n',
  );
  write("views/text/index.ts", 'export default "folder text";\n');
  expect(await read()).toEqual(["folder", "first"]);
  write("views/text.ts", 'export default "file text";\n');
  expect(await read()).toEqual(["file", "first"]);
  write("base.json", aliased("./second.ts"));
  expect(await read()).toEqual(["file", "second"]);
  write("views/tsconfig.json", aliased("../third.ts"));
  expect(await read()).toEqual(["file", "third"]);
  write("views/tsconfig.json", '{ "files": [], "references": [{ "path": "./part" }] }');
  mkdirSync(join(folder, "views/part"));
  const part = (file: string): string => JSON.stringify({ ...JSON.parse(aliased(file)), include: ["../*.ts"] });
  write("views/part/tsconfig.json", part("../../first.ts"));
  expect(await read()).toEqual(["file", "first"]);
  write("views/part/tsconfig.json", part("../../fourth.ts"));
  expect(await read()).toEqual(["file", "fourth"]);
});

test("a view of a project without package.json and tsconfig.json is kept too", async () => {
  const folder = temporaryFolder();
  const file = join(folder, "page.view.ts");
  writeFileSync(file, "document.title = 'page';\n");
  await openViewStore(folder, {}).read(file);
  expect(readdirSync(join(folder, cacheFolder, "views"))).toHaveLength(1);
});

test("what a script or a style says ends neither its element nor its page", async () => {
  const folder = temporaryFolder();
  const file = join(folder, "page.view.ts");
  writeFileSync(file, 'document.title = "</script><script>alert(1)</script><!--";\n');
  const { html, hashes, problems } = await bundleView(file);
  expect(problems).toEqual([]);
  expect(html.match(/<\/script>/g)).toHaveLength(1);
  expect(html.match(/<!--/g)).toHaveLength(1);
  expect(hashes).toHaveLength(1);
});

test("style sheets have the order in which the modules of the view import them", async () => {
  const folder = temporaryFolder();
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  const sheets = ["reset", "button", "card", "theme", "late"];
  for (const name of sheets) write(`${name}.css`, `.${name} {}\n`);
  write("page.view.ts", 'import "./reset.css";\nimport "./card.ts";\nimport "./theme.css";\nimport("./late.ts");\n');
  write("card.ts", 'import "./button.ts";\nimport "./card.css";\nimport "./reset.css";\n');
  write("button.ts", 'import "./button.css";\nimport "./card.ts";\n');
  write("late.ts", 'import "./late.css";\nimport "./theme.css";\n');
  const { html } = await bundleView(join(folder, "page.view.ts"));
  expect([...html.matchAll(/\.(\w+) \{\}/g)].map(([, name]) => name)).toEqual(sheets);
});

test("the page has each style sheet under the conditions that its author gave", async () => {
  const folder = temporaryFolder();
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  for (const name of ["a", "b", "c", "d", "e", "f", "g", "h"]) write(`${name}.css`, `.${name} {}`);
  write(
    "imports.css",
    [
      '@import "./a.css" layer(base);',
      "@import url(./b.css) supports((display: grid) and (not (color: red))) (min-width: 10px);",
      "@import './c.css' layer supports(selector(:has(a)));",
      '@import"./d.css"print;',
      '@import "./e.css" layer(x.y) screen and (color)',
    ].join(""),
  );
  write(
    "page.view.html",
    '<link rel="Stylesheet preload" href="f.css" media="(prefers-color-scheme: dark)" title=dark>\n' +
      '<style media="print">@import "./g.css";</style><link rel=stylesheet href=imports.css>',
  );
  const { html, problems } = await bundleView(join(folder, "page.view.html"));
  expect(problems).toEqual([]);
  expect(html).toContain('<style media="(prefers-color-scheme: dark)" title=dark>.f {}</style>');
  expect(html).toContain('<style media="print">.g {}</style>');
  expect(html).toContain(
    "<style>@layer base{.a {}}" +
      "@supports ((display: grid) and (not (color: red))){@media (min-width: 10px){.b {}}}" +
      "@supports (selector(:has(a))){@layer {.c {}}}" +
      "@media print{.d {}}" +
      "@media screen and (color){@layer x.y{.e {}}}</style>",
  );
});

test("whatever an element or a style loads is in the page", async () => {
  const folder = temporaryFolder();
  const data = ["a", "b", "c", "d", "e", "f", "g", "h"].map((name) => {
    writeFileSync(join(folder, `${name}.png`), name);
    return `data:image/png;base64,${btoa(name)}`;
  });
  writeFileSync(
    join(folder, "page.view.html"),
    '<img srcset="a.png, b.png 2x,data:image/png;base64,AA== 3x" alt="">' +
      '<p style="background: url(c.png); content: &quot;&amp;lt;&quot;"></p><input type="image" src="d.png">' +
      '<svg><image xlink:href="e.png" /><use href="#here" /></svg>' +
      "<style>p { background: image-set(\"f.png\" 1x, url('g.png') type(\"image/png\") 2x, 'h.png' 3x) }</style>",
  );
  const { html, problems } = await bundleView(join(folder, "page.view.html"));
  expect(problems).toEqual([]);
  for (const one of data) expect(html).toContain(one);
  expect(html).not.toContain(".png");
  expect(html).toContain(`srcset="${data[0]}, ${data[1]} 2x,data:image/png;base64,AA== 3x"`);
  expect(html).toContain("content: &quot;&amp;lt;&quot;");
  expect(html).toContain('type("image/png") 2x');
});
