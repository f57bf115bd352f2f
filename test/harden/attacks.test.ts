import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createChance } from "../chaos/chance.ts";
import type { AttackContext, Contender } from "./attack.ts";
import { buildTarget } from "./build-target.ts";
import { tenonContender } from "./contenders.ts";
import { attackWithOrigins } from "./doors.ts";
import { attacks, runAttacks } from "./run-attacks.ts";
import { securityTable, withTable } from "./security-table.ts";
import { startTarget } from "./target.ts";

// Within the project, since the attacked service is built from its sources.
const cache = resolve("node_modules/.cache");
let folder: string;
let context: AttackContext;
beforeAll(() => {
  mkdirSync(cache, { recursive: true });
  folder = mkdtempSync(join(cache, "tenon-harden-test-"));
  context = {
    tenon: tenonContender(buildTarget(folder, "sources")),
    peers: [],
    size: {
      requests: 600,
      answerWithin: Infinity,
      chunks: 2000,
      sockets: 10,
      seconds: 0.3,
      minutes: 0.03,
      jobs: 0,
      kills: 0,
      bytes: 30_000,
      // Only hangs fail here: code that runs for the first time is slow, and times belong to the long form.
      milliseconds: 20_000,
    },
    chance: () => createChance(1),
    seed: 1,
    folder: (name) => mkdirSync(join(folder, name), { recursive: true }) ?? join(folder, name),
    log: () => {},
  };
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The short form of `npm run harden`; the kills are in test/chaos. */
describe("a built service that is attacked from outside", () => {
  const names = [
    "json",
    "strings",
    "random",
    "odd",
    "origins",
    "tokens",
    "sessions",
    "crowd",
    "chunks",
    "readers",
    "silence",
    "watchers",
    "queue",
    "kept",
    "load",
    "codecs",
    "disk",
    "buckets",
    "folder-kills",
    "bucket-kills",
    "packs",
  ];
  test.each(names)("%s", async (name) => {
    const [finding] = await runAttacks(context, [name]);
    expect(finding?.breaches).toEqual([]);
    expect(finding?.inputs).toMatch(/[1-9]/);
  });
});

test("docs/security.md names every attack", () => {
  const [, table = ""] = readFileSync("docs/security.md", "utf8").split("| Name for `--only` |");
  const cells = table.split("\n\n")[0]?.matchAll(/^\| (`[^|]*`) \|/gm) ?? [];
  const names = [...cells].flatMap(([, cell = ""]) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name));
  expect(names.toSorted()).toEqual(Object.keys(attacks).toSorted());
});

test("a server that takes everything, and one that ends, are found out", async () => {
  const script = (answer: string): string => `
    const server = require("node:http").createServer((request, response) => { ${answer} });
    server.listen(0, "127.0.0.1", () => process.send({ port: server.address().port }));
    process.on("message", () => process.send({ rss: 1 }));
    process.on("disconnect", () => process.exit(0));`;
  const contender = (file: string): Contender => ({ name: "other", rest: "/tool", start: () => startTarget(file) });
  const run = async (name: string, answer: string): Promise<readonly string[]> => {
    const file = join(folder, `${name}.cjs`);
    writeFileSync(file, script(answer));
    return (await attackWithOrigins({ ...context, tenon: contender(file) })).breaches;
  };
  expect(await run("open", "response.end('{}')")).toHaveLength(22);
  expect((await run("weak", "process.exit(3)")).at(-1)).toBe("the process ended: exit code 3");
});

const finding = { attack: "a|b", inputs: "1", result: "none", peers: ["x: 1", "y: 2"], breaches: ["wrong"] };
const day = new Date().toISOString().slice(0, 10);

/** The rows of a page's table. */
function rowsOf(page: string): readonly string[] {
  return page.split("\n").filter((line) => line.startsWith("| "));
}

test("the table takes its place in the page, and a run of some attacks only theirs", () => {
  const marks = ["before", "<!-- made by npm run harden -- --write -->", "", "<!-- end -->", "after"].join("\n");
  const other = { ...finding, attack: "other", details: "| Kind |\n|---|\n| number |" };
  const page = withTable(marks, [finding, other]);
  const mine = `| a\\|b | 1 | none **broken** | x: 1<br>y: 2 | ${day} |`;
  expect(rowsOf(page).slice(1, 3)).toEqual([mine, mine.replace("a\\|b", "other")]);
  expect([page.split("\n")[0], page.split("\n").at(-1)]).toEqual(["before", "after"]);
  const next = withTable(page.replaceAll(day, "2026-01-01"), [
    { ...finding, result: "two", breaches: [] },
    { ...finding, attack: "new" },
  ]);
  expect(rowsOf(next).slice(1, 4)).toEqual([
    `| a\\|b | 1 | two | x: 1<br>y: 2 | ${day} |`,
    mine.replace("a\\|b", "other").replace(day, "2026-01-01"),
    mine.replace("a\\|b", "new"),
  ]);
  // The table below belongs to an attack that did not run.
  expect(next).toContain("| Kind |\n|---|\n| number |");
  expect(withTable(next, [])).toBe(next);
  expect(() => withTable("nothing", [finding])).toThrow("no place");
});

test("no text gets into another cell or row", () => {
  const hostile = ["a | b", "a\\|b", "a\\\\|b", "a\n| b |", "a\r\n\r\nb", " | ", "\\"];
  for (const text of hostile) {
    const row = securityTable([{ ...finding, attack: text, result: text, peers: [text] }]).split("\n")[2] ?? "";
    // A bar that is not escaped ends a cell.
    expect([text, row.replaceAll(/\\./g, "").match(/\|/g)?.length]).toEqual([text, 6]);
  }
});
