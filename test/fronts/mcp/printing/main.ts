// Prints in every way that JavaScript has, then writes one line of data. Built with the guard's banner by the test.
import { execFileSync, execSync, fork, spawn, spawnSync } from "node:child_process";
import { Console } from "node:console";
import { once } from "node:events";
import fs, { writeSync } from "node:fs";
import { stdout } from "node:process";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { isMainThread, Worker } from "node:worker_threads";
import { writeToStdout } from "../../../../runtime/base/process/stdout-guard.ts";
import { early } from "./early.ts";

const kept = console.log;
const node = process.execPath;
const printing = (text: string): string[] => ["-e", `console.log(${JSON.stringify(text)})`];

const ways: Record<string, (text: string) => unknown> = {
  "console.log": (text) => console.log(text),
  "console.info": (text) => console.info(text),
  "console.table": (text) => console.table([text]),
  "console.dir": (text) => console.dir(text),
  "kept console.log": (text) => kept(text),
  "own Console": (text) => new Console(process.stdout).log(text),
  "process.stdout.write": (text) => process.stdout.write(`${text}\n`),
  "named stdout": (text) => stdout.write(`${text}\n`),
  "stream pipeline": (text) => pipeline(Readable.from([`${text}\n`]), process.stdout),
  "process.stdout.end": (text) => new Promise<void>((resolve) => process.stdout.end(`${text}\n`, resolve)),
  "fs.writeSync": (text) => fs.writeSync(1, `${text}\n`),
  "named writeSync": (text) => writeSync(1, `${text}\n`),
  "fs.write": (text) => new Promise<void>((resolve) => fs.write(1, `${text}\n`, () => resolve())),
  "promisified fs.write": async (text) => {
    const { bytesWritten } = await promisify(fs.write)(1, Buffer.from(`${text}\n`));
    if (bytesWritten === 0) throw new Error("promisify lost its own form");
  },
  "fs.writevSync": (text) => fs.writevSync(1, [Buffer.from(`${text}\n`)]),
  "fs.writeFileSync": (text) => fs.writeFileSync(1, `${text}\n`),
  "fs.appendFileSync": (text) => fs.appendFileSync(1, `${text}\n`),
  "fs.writeFile": (text) => new Promise<void>((resolve) => fs.writeFile(1, `${text}\n`, () => resolve())),
  "/dev/stdout": (text) => fs.appendFileSync("/dev/stdout", `${text}\n`),
  createWriteStream: (text) =>
    new Promise<void>((resolve) =>
      fs
        .createWriteStream("", { fd: 1, autoClose: false })
        .on("finish", () => resolve())
        .end(`${text}\n`),
    ),
  "spawn inherit": (text) => once(spawn(node, printing(text), { stdio: "inherit" }), "exit"),
  "spawn fd 1": (text) => once(spawn(node, printing(text), { stdio: ["ignore", 1, 2] }), "exit"),
  "spawn stream": (text) => once(spawn(node, printing(text), { stdio: ["ignore", process.stdout, 2] }), "exit"),
  "spawn stderr to fd 1": (text) =>
    once(spawn(node, ["-e", `console.error(${JSON.stringify(text)})`], { stdio: ["ignore", "ignore", 1] }), "exit"),
  fork: (text) => once(fork(fileURLToPath(import.meta.url), { env: { ...process.env, PRINT_TEXT: text } }), "exit"),
  "spawnSync inherit": (text) => spawnSync(node, printing(text), { stdio: "inherit" }),
  "execSync inherit": (text) => execSync(`echo "${text}"`, { stdio: "inherit" }),
  "execFileSync fd 1": (text) => execFileSync("echo", [text], { stdio: [0, 1, 2] }),
  "child that reads stdin": async (text) => {
    const [code] = await once(spawn("cat", [], { stdio: ["inherit", "inherit", "inherit"] }), "exit");
    console.log(`${text} ${code}`);
  },
  worker: (text) => once(new Worker(new URL(import.meta.url), { argv: [text] }), "exit"),
};

if (process.env["PRINT_TEXT"] !== undefined) {
  console.log(process.env["PRINT_TEXT"]);
} else if (isMainThread) {
  await import("./lazy.ts");
  const only = process.env["PRINT_ONLY"];
  for (const [name, print] of Object.entries(ways)) if (only === undefined || only === name) await print(`[${name}]`);
  writeToStdout(`${JSON.stringify({ data: early, ways: Object.keys(ways) })}\n`);
} else {
  console.log(`${process.argv[2]} console.log`);
  fs.writeSync(1, `${process.argv[2]} fs.writeSync\n`);
}
