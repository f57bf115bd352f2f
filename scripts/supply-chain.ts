/**
 * Checks what is installed for `npm install tenon`: how many packages, under which licences, and that none of them runs
 * a script when it is installed. Writes the bill of materials, `dist/sbom.cdx.json`. `npm run supply`.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { judgeTree } from "./supply-chain/judge-tree.ts";
import { productionTree, type Lockfile } from "./supply-chain/production-tree.ts";
import { sbomText } from "./supply-chain/write-sbom.ts";

const tree = productionTree(JSON.parse(readFileSync("package-lock.json", "utf8")) as Lockfile);
const { count, licences, problems } = judgeTree(tree);
for (const folder of ["dist", "node_modules/.cache"]) mkdirSync(folder, { recursive: true });
// In one step, since another check may be packing the folder.
writeFileSync("node_modules/.cache/sbom.cdx.json", sbomText(process.cwd()));
renameSync("node_modules/.cache/sbom.cdx.json", "dist/sbom.cdx.json");
const list = [...licences].map(([licence, names]) => `${names.length} ${licence}`);
console.log(`${count} packages beside tenon: ${list.join(", ")}; dist/sbom.cdx.json`);
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
