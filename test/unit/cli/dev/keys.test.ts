import { EventEmitter } from "node:events";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { listenToKeys } from "../../../../cli/dev/keys.ts";

/** A terminal's input, as far as keys are read from it. */
class FakeTerminal extends EventEmitter {
  isTTY = true;
  isRaw = false;
  isFlowing = false;

  setRawMode(isRaw: boolean): this {
    this.isRaw = isRaw;
    return this;
  }
  setEncoding(): this {
    return this;
  }
  resume(): this {
    this.isFlowing = true;
    return this;
  }
  pause(): this {
    this.isFlowing = false;
    return this;
  }
}

let terminal: FakeTerminal;
let written: string;
const actions = { page: (): string | undefined => undefined, restart: vi.fn<() => void>(), quit: vi.fn<() => void>() };
const wasTerminal = process.stderr.isTTY;

beforeEach(() => {
  terminal = new FakeTerminal();
  written = "";
  vi.spyOn(process, "stdin", "get").mockReturnValue(terminal as never);
  vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    written += String(text);
    return true;
  });
  process.stderr.isTTY = true;
  vi.stubEnv("NO_COLOR", "1");
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.clearAllMocks();
  vi.unstubAllEnvs();
  process.stderr.isTTY = wasTerminal;
});

test("on a terminal it says which keys there are, and each does its own", () => {
  listenToKeys(actions);
  expect([terminal.isRaw, terminal.isFlowing]).toEqual([true, true]);
  expect(written).toBe("  keys     o open the console, r restart, c clear, q quit\n");
  written = "";
  terminal.emit("data", "x");
  expect(written).toBe("");
  terminal.emit("data", "r");
  expect([written, actions.restart.mock.calls.length]).toEqual(["restarting\n", 1]);
  written = "";
  terminal.emit("data", "c");
  expect(written).toBe("\u001B[2J\u001B[3J\u001B[H");
  written = "";
  terminal.emit("data", "o");
  expect(written).toBe("There is no page yet.\n");
  expect(actions.quit).not.toHaveBeenCalled();
});

test.each(["q", "\u0003", "\u0004"])("%j quits", (key) => {
  listenToKeys(actions);
  terminal.emit("data", key);
  expect(actions.quit).toHaveBeenCalledTimes(1);
});

test("after the end the terminal is as it was, and keys do nothing", () => {
  listenToKeys(actions)();
  expect([terminal.isRaw, terminal.isFlowing]).toEqual([false, false]);
  terminal.emit("data", "q");
  expect(actions.quit).not.toHaveBeenCalled();
});

test("a pipe is not read, and nothing is said", () => {
  terminal.isTTY = false;
  listenToKeys(actions)();
  expect([written, terminal.isRaw, terminal.listenerCount("data")]).toEqual(["", false, 0]);
});
