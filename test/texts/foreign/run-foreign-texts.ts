/**
 * `npm run foreign-texts -- [--packages FOLDER]`: the rules about texts over the tools of MCP servers from npm, whose
 * schemas are read as types. Prints counts by rule and the findings that `judged.txt` does not have, and exits with 1
 * when more than 2 of 1,000 tools have a false one. Installs the packages into a temporary folder, unless it is given
 * one, and starts them without a network.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { textCodes } from "../../../plugin/diagnostics/text-codes.ts";
import { textFindings } from "../../../plugin/texts/text-findings.ts";
import { foreignServers } from "./foreign-servers.ts";
import { judgedFindings } from "./judged-findings.ts";
import { listTools } from "./list-tools.ts";
import { modelOf } from "./schema-model.ts";

const { values } = parseArgs({ options: { packages: { type: "string" } } });
const folder = values.packages ?? install();

function install(): string {
  const root = mkdtempSync(join(tmpdir(), "tenon-foreign-texts-"));
  process.once("exit", () => rmSync(root, { recursive: true, force: true }));
  const dependencies = Object.fromEntries(Object.entries(foreignServers).map(([name, { version }]) => [name, version]));
  writeFileSync(join(root, "package.json"), JSON.stringify({ private: true, dependencies }));
  const words = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--legacy-peer-deps"];
  const { status } = spawnSync("npm", words, { cwd: root, stdio: "inherit" });
  if (status !== 0) throw new Error(`npm install ended with ${status}.`);
  return root;
}

const judged = new Map(judgedFindings().map(({ rule, tool, isFalse }) => [`${rule} ${tool}`, isFalse]));
const codes = new Set(Object.keys(textCodes));
const sum = { tools: 0, wrong: 0, unjudged: 0 };
const counts = new Map<string, number>();
for (const [name, server] of Object.entries(foreignServers)) {
  const tools = await listTools(folder, name, server);
  const found = textFindings(
    tools.map((tool) => modelOf(tool, `${name} ${tool.name}`)),
    codes,
  );
  console.log(`${name}: ${tools.length} tools, ${found.length} findings`);
  sum.tools += tools.length;
  for (const { code, at, message } of found) {
    const { rule = code } = textCodes[code];
    counts.set(rule, (counts.get(rule) ?? 0) + 1);
    const verdict = judged.get(`${rule} ${at.file}`);
    if (verdict === undefined) console.log(`  not judged: ${rule} ${message}`);
    if (verdict === undefined) sum.unjudged += 1;
    if (verdict === true) sum.wrong += 1;
  }
}
for (const [rule, count] of counts) console.log(`${String(count).padStart(5)}  ${rule}`);
console.log(`${sum.tools} tools, ${sum.wrong} false findings, ${sum.unjudged} that nobody has judged`);
process.exitCode = sum.wrong <= (2 * sum.tools) / 1000 ? 0 : 1;
