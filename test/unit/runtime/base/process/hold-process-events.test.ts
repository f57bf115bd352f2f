import { EventEmitter } from "node:events";
import { expect, test } from "vitest";
import { holdProcessEvents } from "../../../../../runtime/base/process/hold-process-events.ts";

test("keeps signals and stray errors, and tells them in order to those who listen in the end", () => {
  const source = new EventEmitter();
  const tell = holdProcessEvents(source);
  const error = new Error("nobody awaits this");
  source.emit("unhandledRejection", error, "promise");
  source.emit("SIGTERM", "SIGTERM");
  const heard: unknown[] = [];
  for (const name of ["unhandledRejection", "SIGTERM"])
    source.on(name, (...args: unknown[]) => heard.push([name, ...args]));
  tell();
  expect(heard).toEqual([
    ["unhandledRejection", error, "promise"],
    ["SIGTERM", "SIGTERM"],
  ]);
  source.emit("SIGTERM", "SIGTERM");
  expect(heard.length).toBe(3);
});

test("leaves no listener behind", () => {
  const source = new EventEmitter();
  holdProcessEvents(source)();
  expect(source.eventNames()).toEqual([]);
});
