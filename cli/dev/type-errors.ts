import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { paint, say } from "../base/output.ts";

/** `file(line,column): error TS1234: text`, as the compiler prints without colours. */
const finding = /^(.+?)\((\d+),(\d+)\): error (TS\d+): (.*)$/;

/** Prints the type errors that the project's own compiler finds after each save, independently of the builds. */
export function watchTypes(root: string): { stop(): void } {
  const compiler = compilerOf(root);
  if (compiler === undefined || !existsSync(join(root, "tsconfig.json"))) return { stop() {} };
  const words = ["--noEmit", "--watch", "--preserveWatchOutput", "--pretty", "false", "--project", root];
  const child: ChildProcess = spawn(process.execPath, [compiler, ...words], {
    cwd: root,
    stdio: ["ignore", "pipe", "ignore"],
  });
  child.once("error", () => {});
  const tell = createTeller();
  if (child.stdout !== null) createInterface({ input: child.stdout }).on("line", tell);
  return { stop: () => void child.kill() };
}

/**
 * Creates a reader for the compiler's output. It prints the errors of each check that the previous check did not have.
 */
export function createTeller(write: (line: string) => void = say): (line: string) => void {
  let told: ReadonlySet<string> = new Set();
  let errors: string[] = [];
  return (line) => {
    const [, file, row, column, code, text = ""] = finding.exec(line) ?? [];
    if (file !== undefined)
      errors.push(`${paint("red", "error")} ${file}:${row}:${column} ${paint("dim", `${code}:`)} ${text}`);
    // Indented lines are continuation lines of a longer error message.
    else if (/^\s+\S/.test(line) && errors.length > 0) errors.push(`${errors.pop()}\n${line}`);
    else if (/Found \d+ errors?\./.test(line)) {
      for (const error of errors) if (!told.has(error)) write(error);
      if (errors.length === 0 && told.size > 0) write(paint("green", "No type errors."));
      told = new Set(errors);
      errors = [];
    }
  };
}

function compilerOf(root: string): string | undefined {
  try {
    const manifest = createRequire(join(root, "package.json")).resolve("typescript/package.json");
    return join(dirname(manifest), "bin/tsc");
  } catch {
    return undefined;
  }
}
