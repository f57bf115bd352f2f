import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startService } from "../../../../cli/call/service-process.ts";

/** A program that writes these lines, and runs until it is stopped. */
function program(...lines: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), "service-process-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "service.mjs");
  writeFileSync(file, `process.stderr.write(${JSON.stringify(`${lines.join("\n")}\n`)}); setInterval(() => {}, 1e6);`);
  return file;
}

test("the service's address is that of its own line, not one that it logs before", async () => {
  const logged = ["asking the model at http://127.0.0.1:11434/v1", "no collector at http://127.0.0.1:4318"];
  const lines: string[] = [];
  const entry = program(...logged, "Primes 1.0.0, console at /docs, listens on http://127.0.0.1:41234");
  const service = await startService(entry, [], (line) => lines.push(line));
  await service.stop();
  expect([service.url, lines]).toEqual(["http://127.0.0.1:41234", logged]);
});
