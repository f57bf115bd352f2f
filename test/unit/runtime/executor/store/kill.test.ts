import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import type { JobUrn } from "../../../../../runtime/job/job.ts";
import { loadSqlite } from "../../../../../runtime/executor/store/sqlite/load-sqlite.ts";
import { sqlitePlace } from "./sqlite-place.ts";

/** `TENON_KILLS=80` for the long form. */
const kills = Number(process.env["TENON_KILLS"] ?? 6);
const child = fileURLToPath(new URL("child-worker.ts", import.meta.url));

const place = sqlitePlace();
afterAll(() => place.remove());

/** Runs a worker until it has acknowledged so many writes, kills it, and gives back its lines. */
async function killedAfter(acknowledged: number, file: string): Promise<readonly string[]> {
  const worker = spawn(process.execPath, [child, file], { stdio: ["ignore", "pipe", "inherit"] });
  const closed = once(worker, "close");
  const lines: string[] = [];
  for await (const line of createInterface({ input: worker.stdout })) {
    lines.push(line);
    if (lines.length === acknowledged) worker.kill("SIGKILL");
  }
  const [, signal] = (await closed) as [number | null, NodeJS.Signals | null];
  expect(signal, `the worker ended by itself after ${lines.length} writes`).toBe("SIGKILL");
  return lines;
}

test(
  `${kills} kills: nothing that was acknowledged is lost, and the file stays whole`,
  { timeout: 600_000 },
  async () => {
    const { file } = place;
    const submitted = new Set<string>();
    const reported = new Set<string>();
    const settled = new Map<string, string>();
    for (let kill = 0; kill < kills; kill++) {
      // Spread over the first thousands of writes, also before the first one is answered.
      const lines = await killedAfter(1 + ((kill * 977) % 3001), file);
      for (const line of lines) {
        const [what, id = "", attempt = ""] = line.split(" ");
        if (what === "s") submitted.add(id);
        if (what === "e") reported.add(id);
        if (what !== "d") continue;
        expect(settled.has(id), `${id} was settled twice`).toBe(false);
        settled.set(id, attempt);
      }
      const { DatabaseSync } = loadSqlite();
      const database = new DatabaseSync(file);
      expect(database.prepare("PRAGMA integrity_check").get()?.["integrity_check"]).toBe("ok");
      expect(database.prepare("PRAGMA foreign_key_check").all()).toEqual([]);
      database.close();

      const store = place.open({ maxFinished: 10_000_000 });
      for (const id of submitted) expect(await store.get(id as JobUrn), `${id} is lost`).toBeDefined();
      for (const id of reported) expect((await store.get(id as JobUrn))?.events.length).toBeGreaterThan(0);
      for (const [id, attempt] of settled) {
        const outcome = (await store.get(id as JobUrn))?.outcome;
        const json = outcome?.state === "succeeded" && outcome.result.kind === "json" && outcome.result.json;
        expect(String(json).slice(0, attempt.length + 3), `the result of ${id}`).toBe(`"${attempt} x`);
      }
      await store.close();
    }
    console.log(
      `${kills} kills: ${submitted.size} submitted, ${reported.size} reported, ${settled.size} settled, 0 lost`,
    );
    expect(settled.size).toBeGreaterThan(kills);
  },
);
