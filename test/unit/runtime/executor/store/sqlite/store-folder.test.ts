import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeFolder, makeStoreFolder } from "../../../../../../runtime/executor/store/sqlite/store-folder.ts";
import { StoreError } from "../../../../../../runtime/executor/store/store-error.ts";

function parent(): string {
  const folder = mkdtempSync(join(tmpdir(), "tenon-store-folder-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

test("a folder is made with its parents, for its owner alone; one that is there stays as it is", () => {
  const folder = join(parent(), "a", "b");
  makeStoreFolder(folder);
  expect([statSync(folder).mode & 0o777, statSync(join(folder, "..")).mode & 0o777]).toEqual([0o700, 0o700]);
  const own = join(folder, "own");
  mkdirSync(own, { mode: 0o755 });
  makeStoreFolder(own);
  expect(statSync(own).mode & 0o777).toBe(0o755);
});

test("a file in the way is named, whether it is the folder itself or a part of its path", () => {
  const file = join(parent(), "file");
  writeFileSync(file, "");
  expect(() => makeStoreFolder(file)).toThrow(
    new StoreError(`${file} is a file, where a folder is needed. Give another folder.`),
  );
  const below = join(file, "below");
  expect(() => makeStoreFolder(below)).toThrow(
    new StoreError(`The folder ${below} cannot be made: a part of its path is not a directory.`),
  );
});

test("a folder below /proc is refused, and does not hang", () => {
  expect(() => makeFolder("/proc/tenon/jobs")).toThrow("ENOENT");
});
