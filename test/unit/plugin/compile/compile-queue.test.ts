import { expect, test } from "vitest";
import { createCompileQueue } from "../../../../plugin/compile/compile-queue.ts";

test("files that arrive together are one batch, those that arrive meanwhile the next, and others work in between", async () => {
  const log: string[] = [];
  const queue = createCompileQueue({
    open: () => Promise.resolve("project"),
    begin: (project, files) => log.push(`${project}: ${[...files.keys()].join()}`),
    compile(_project, file) {
      log.push(file);
      if (file === "a") setImmediate(() => log.push("somebody else"));
      return file.toUpperCase();
    },
  });
  const first = queue.add("a", "");
  const others = [queue.add("b", ""), first.then(() => queue.add("c", ""))];
  expect(await Promise.all([first, ...others])).toEqual(["A", "B", "C"]);
  expect(log).toEqual(["project: a,b", "a", "somebody else", "b", "project: c", "c"]);
});

test("a file that fails costs no other; a project that cannot be opened fails all that wait, until it can", async () => {
  let isOpen = false;
  const queue = createCompileQueue({
    open: () => (isOpen ? Promise.resolve() : Promise.reject(new Error("closed"))),
    begin: () => undefined,
    compile(_project, file) {
      if (file === "bad") throw new Error(file);
      return file;
    },
  });
  const closed = await Promise.allSettled([queue.add("a", ""), queue.add("b", "")]);
  expect(closed.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  isOpen = true;
  const open = await Promise.allSettled([queue.add("bad", ""), queue.add("good", "")]);
  expect(open.map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
});
