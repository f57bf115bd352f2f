import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type Changes, createFileWatcher } from "../../../../cli/dev/watch-files.ts";
import { temporaryFolder, writeFiles } from "../../../support/temporary-folder.ts";

/** Watches `a.ts` in a folder; `next` resolves with what is told next. */
function watched(missing: boolean): { readonly root: string; next(): Promise<Changes> } {
  const root = temporaryFolder({ "a.ts": "1", "b.ts": "1" });
  const told: Changes[] = [];
  let heard = (): void => {};
  const watcher = createFileWatcher((changes) => {
    told.push(changes);
    heard();
  });
  onTestFinished(() => watcher.close());
  watcher.watch(new Set([join(root, "a.ts")]), { since: Number.POSITIVE_INFINITY, missing });
  return {
    root,
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
