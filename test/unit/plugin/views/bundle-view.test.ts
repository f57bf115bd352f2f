import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
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
