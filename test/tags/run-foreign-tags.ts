/**
 * `npm run foreign-tags -- [--packages FOLDER]`: the comments of well-known npm packages as comments of tools, fields
 * and types of an author. Each `@word` must be a tag that we carry out, one that another tool knows, one that a
 * diagnostic names, or still stand in the text. Exits with 1 when one is lost without a word, or when more than 2 of
 * 1,000 tools have a finding about a tag that another tool knows, or about a word of prose. Installs the packages (500
 * MB) into a temporary folder, unless it is given one.
 */
import { spawnSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { foreignPackages, tagsOfPackages } from "./foreign-packages.ts";
import { commentsOf, judgeComments, type Judgement } from "./judge-comments.ts";
import { tagsOfOtherTools } from "./tags-of-other-tools.ts";

const { values } = parseArgs({ options: { packages: { type: "string" }, words: { type: "boolean" } } });
const folder = values.packages ?? install();

function install(): string {
  const root = mkdtempSync(join(tmpdir(), "tenon-foreign-tags-"));
  process.once("exit", () => rmSync(root, { recursive: true, force: true }));
  writeFileSync(join(root, "package.json"), JSON.stringify({ private: true, dependencies: foreignPackages }));
  const { status } = spawnSync(
    "npm",
    ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--legacy-peer-deps"],
    {
      cwd: root,
      stdio: "inherit",
    },
  );
  if (status !== 0) throw new Error(`npm install ended with ${status}.`);
  return root;
}

const typedoc = readFileSync(join(folder, "node_modules/typedoc/tsdoc.json"), "utf8");
const typedocTags = [...typedoc.matchAll(/"tagName": "@(\w+)"/g)].map(([, name = ""]) => name);
const known = new Set([...tagsOfOtherTools, ...typedocTags]);
const sum = { tools: 0, tags: 0, told: 0, lost: 0, wrong: 0 };
const words = new Map<string, number>();
for (const name of Object.keys(foreignPackages)) {
  const files = globSync(`node_modules/${name}/**/*.{d.ts,d.mts,d.cts}`, {
    cwd: folder,
    exclude: ["**/node_modules/*/**/node_modules/**"],
  });
  const comments = commentsOf(files.toSorted().map((file) => readFileSync(join(folder, file), "utf8")));
  const judgement: Judgement = judgeComments(comments, known, tagsOfPackages);
  for (const word of judgement.told) words.set(word, (words.get(word) ?? 0) + 1);
  for (const line of [...judgement.lost, ...judgement.wrong]) console.error(`${name}: ${line}`);
  const { tools, tags, told, lost, wrong } = judgement;
  console.log(`${name}: ${tools} tools, ${tags} tags, ${told.length} told, ${lost.length} lost, ${wrong.length} false`);
  sum.tools += tools;
  sum.tags += tags;
  sum.told += told.length;
  sum.lost += lost.length;
  sum.wrong += wrong.length;
}
if (values.words === true)
  for (const [word, count] of [...words].toSorted((a, b) => b[1] - a[1])) console.log(`  ${count} ${word}`);
console.log(
  `${Object.keys(foreignPackages).length} packages: ${sum.tags} tags of ${sum.tools} tools, ${sum.told} told, ${sum.lost} lost in silence, ${sum.wrong} false findings`,
);
process.exitCode = sum.lost === 0 && sum.wrong <= (2 * sum.tools) / 1000 ? 0 : 1;
