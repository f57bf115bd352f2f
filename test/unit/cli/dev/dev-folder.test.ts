import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { consoleAddress, openDevFolder } from "../../../../cli/dev/dev-folder.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

/** Above the highest process id of any system. */
const ended = 2 ** 30;

test("several processes serve one package, each from its own folder; what ended ones left is removed", () => {
  const root = temporaryFolder({
    [`.tenon/dev/${process.ppid}/entry-1.cjs`]: "",
    [`.tenon/dev/${process.ppid}.json`]: '{"page":"http://other"}',
    [`.tenon/dev/${ended}/entry-1.cjs`]: "",
    [`.tenon/dev/${ended}.json`]: '{"page":"http://ended"}',
    ".tenon/dev/origin.cjs": "",
  });
  const others = [String(process.ppid), `${process.ppid}.json`];
  const { outdir, note, remove } = openDevFolder(root);
  expect(outdir).toBe(join(root, ".tenon/dev", String(process.pid)));
  expect(readdirSync(join(root, ".tenon/dev")).toSorted()).toEqual(others);
  note("http://own");
  expect(consoleAddress(root)).toBe(process.pid > process.ppid ? "http://own" : "http://other");
  remove();
  expect(readdirSync(join(root, ".tenon/dev")).toSorted()).toEqual(others);
  expect(consoleAddress(root)).toBe("http://other");
});

test("the address of a process that ended without removing it is not told", () => {
  const root = temporaryFolder({ [`.tenon/dev/${ended}.json`]: '{"page":"http://ended"}' });
  expect(consoleAddress(root)).toBeUndefined();
  expect(consoleAddress(join(root, "other"))).toBeUndefined();
  expect(existsSync(join(root, "other"))).toBe(false);
});
