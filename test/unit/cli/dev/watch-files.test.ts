import { mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { type Changes, createFileWatcher } from "../../../../cli/dev/watch-files.ts";
import { folderWatch } from "../../../../cli/dev/watch-folder.ts";
import { temporaryFolder, writeFiles } from "../../../support/temporary-folder.ts";

interface Watched {
  readonly root: string;
  /** Watches `a.ts` and the folder `notes`, as after a build that began at a time in epoch milliseconds. */
  watch(since: number): void;
  /** Resolves with what is told next. */
  next(): Promise<Changes>;
}

function watched(missing: boolean, watchFolder = folderWatch()): Watched {
  const root = temporaryFolder({ "a.ts": "1", "b.ts": "1" });
  const told: Changes[] = [];
  let heard = (): void => {};
  const watcher = createFileWatcher((changes) => {
    told.push(changes);
    heard();
  }, watchFolder);
  onTestFinished(() => watcher.close());
  const folders = new Set([join(root, "notes")]);
  const watch = (since: number): void => watcher.watch(new Set([join(root, "a.ts")]), { since, missing, folders });
  watch(Number.POSITIVE_INFINITY);
  return {
    root,
    watch,
    async next() {
      for (;;) {
        const first = told.shift();
        if (first !== undefined) return first;
        await new Promise<void>((resolve) => (heard = resolve));
      }
    },
  };
}

test("a file is told when it is written, replaced, gone and back; others are not", async () => {
  const { root, next } = watched(false);
  const a = { files: new Set([join(root, "a.ts")]), appeared: false };
  writeFiles(root, { "b.ts": "23", "a.ts": "23" });
  expect(await next()).toEqual(a);
  writeFiles(root, { "a.ts.tmp": "456" });
  renameSync(join(root, "a.ts.tmp"), join(root, "a.ts"));
  expect(await next()).toEqual(a);
  rmSync(join(root, "a.ts"));
  expect(await next()).toEqual(a);
  writeFiles(root, { "a.ts": "7" });
  expect((await next()).files).toEqual(a.files);
});

test("modules that appear are told; other files only while something is missing", async () => {
  const calm = watched(false);
  writeFiles(calm.root, { "data.json": "{}" });
  writeFiles(calm.root, { "c.ts": "1" });
  expect(await calm.next()).toEqual({ files: new Set(), appeared: true });
  const failing = watched(true);
  writeFiles(failing.root, { "data.json": "{}" });
  expect(await failing.next()).toEqual({ files: new Set(), appeared: true });
});

test("a folder in which anything counts is told when it comes, with what came into it before it was watched", async () => {
  const { root, watch, next } = watched(false);
  const appeared = { files: new Set(), appeared: true };
  mkdirSync(join(root, "notes"));
  expect(await next()).toEqual(appeared);
  writeFiles(root, { "notes/first.md": "1" });
  watch(0);
  expect(await next()).toEqual(appeared);
  writeFiles(root, { "notes/.first.md.swp": "1", "notes/second.md": "1" });
  expect(await next()).toEqual(appeared);
});

/** A file in a folder of its own that is watched, as after a build, and what is told of it. */
function generated() {
  const root = temporaryFolder({ "gen/a.ts": "1", "entry.ts": "1" });
  const told: string[] = [];
  const watcher = createFileWatcher(({ files }) => {
    told.push(...[...files].filter((file) => file === join(root, "gen/a.ts")));
    rebuild();
  });
  const rebuild = (): void =>
    watcher.watch(new Set([join(root, "entry.ts"), join(root, "gen/a.ts")]), {
      since: Number.POSITIVE_INFINITY,
      missing: false,
      folders: new Set(),
    });
  onTestFinished(() => watcher.close());
  rebuild();
  return { root, told };
}

test("a folder that is removed and made again is watched further", async () => {
  const { root, told } = generated();
  for (const text of ["23", "456"]) {
    rmSync(join(root, "gen"), { recursive: true });
    writeFiles(root, { "gen/a.ts": text });
    await expect.poll(() => told.splice(0)).toContain(join(root, "gen/a.ts"));
    writeFiles(root, { "gen/a.ts": `${text}, edited` });
    await expect.poll(() => told.splice(0)).toContain(join(root, "gen/a.ts"));
  }
});

test("a folder that is made again after a build has missed it is watched further", async () => {
  const { root, told } = generated();
  rmSync(join(root, "gen"), { recursive: true });
  await expect.poll(() => told.splice(0)).toContain(join(root, "gen/a.ts"));
  writeFiles(root, { "gen/a.ts": "23" });
  await expect.poll(() => told.splice(0)).toContain(join(root, "gen/a.ts"));
  writeFiles(root, { "gen/a.ts": "456" });
  await expect.poll(() => told.splice(0)).toContain(join(root, "gen/a.ts"));
});

test.each(["ENOSPC", "EMFILE"])("changes are found, and the reason told once, without watchers (%s)", async (code) => {
  const said: unknown[] = [];
  const out = vi.spyOn(process.stderr, "write").mockImplementation((text) => said.push(text) > 0);
  onTestFinished(() => out.mockRestore());
  const refused = folderWatch(() => {
    throw Object.assign(new Error("refused"), { code });
  });
  const { root, next } = watched(false, refused);
  watched(false, refused);
  writeFiles(root, { "a.ts": "23" });
  expect(await next()).toEqual({ files: new Set([join(root, "a.ts")]), appeared: false });
  writeFiles(root, { "c.ts": "1" });
  expect(await next()).toEqual({ files: new Set(), appeared: true });
  expect(said).toEqual([expect.stringContaining(`(${code}), so that changes are looked for every second.`)]);
});

test("a folder that does not exist is not watched, without a word", () => {
  const out = vi.spyOn(process.stderr, "write");
  onTestFinished(() => out.mockRestore());
  const listeners = { changed: () => {}, ended: () => {} };
  expect(folderWatch()(join(temporaryFolder({ file: "" }), "none"), listeners)).toBeUndefined();
  expect(out).not.toHaveBeenCalled();
});
