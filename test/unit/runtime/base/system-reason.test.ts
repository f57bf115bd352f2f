import { expect, test } from "vitest";
import { systemReason } from "../../../../runtime/base/system-reason.ts";

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
