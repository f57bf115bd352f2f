/**
 * Builds the guides as a static site: `npm run site`, into `.cache/site/out`. `SITE_BASE` is the path below which it is
 * published, such as `/tenon/`. The playground needs the built package (`npm run build`).
 */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { build } from "vitepress";
import { llmsFullText, llmsText } from "./site/llms.ts";
import { bundlePlayground } from "./site/bundle-playground.ts";
import { readPages } from "./site/pages.ts";

const root = resolve(import.meta.dirname, "..");
const folder = join(root, ".cache/site");
const out = join(folder, "out");
const { description } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  readonly description: string;
};
const pages = readPages(root);

rmSync(folder, { recursive: true, force: true });
for (const { path, text } of pages) write(join(folder, `${path}.md`), text);
for (const part of ["images", "benchmarks"]) cpSync(join(root, "docs", part), join(folder, part), { recursive: true });
// Otherwise it would find the project's own, whose target its compiler does not know.
write(join(folder, "tsconfig.json"), "{}\n");
// The generator reads its options from a file of the folder.
write(
  join(folder, ".vitepress/config.ts"),
  `import { siteConfig } from "../../../scripts/site/config.ts";
import { readPages } from "../../../scripts/site/pages.ts";
export default siteConfig(readPages(${JSON.stringify(root)}), ${JSON.stringify(description)});
`,
);
await build(folder, { outDir: out });
await bundlePlayground(join(out, "playground"));
console.log(`The site is in ${relative(process.cwd(), out)}: open it through any file server.`);
for (const { path, text } of pages) write(join(out, `${path}.md`), text);
write(join(out, "llms.txt"), llmsText(pages, description));
write(join(out, "llms-full.txt"), llmsFullText(pages));

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
