import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import {
  makeFolder,
  makeStoreFolder,
  systemReason,
} from "../../../../../../runtime/executor/store/sqlite/store-folder.ts";
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

test.each([
  ["EACCES", "this process may not write there"],
  ["EPERM", "this process may not write there"],
  ["ENOENT", "a folder of its path cannot be made"],
  ["EROFS", "the file system is read-only"],
  ["ENOTDIR", "a part of its path is not a directory"],
  ["EEXIST", "a part of its path is not a directory"],
  ["ENOSPC", "the disk is full"],
  ["EDQUOT", "the disk is full"],
  ["ENAMETOOLONG", "the name is too long"],
  ["EIO", "the system's own words"],
])("the system's %s has a reason", (code, reason) => {
  expect(systemReason(Object.assign(new Error("the system's own words"), { code }))).toBe(reason);
});

test("what is not an error of the system is shown as it is", () => {
  expect(systemReason(new Error("odd"))).toBe("Error: odd");
});
