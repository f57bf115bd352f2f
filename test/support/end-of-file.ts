/**
 * Vitest set-up of each test file: its intervals and its set-up of OpenTelemetry end with it. Files of a worker share
 * their modules, so that an executor that stands for a killed process would go on, and log into the tests of later
 * files, and spans of later files would go to a provider of this one.
 */
import { afterAll, beforeAll } from "vitest";

// Taken together, as a test file may leave fake timers behind.
const { setInterval: original, clearInterval: end } = globalThis;
const running: NodeJS.Timeout[] = [];

beforeAll(() => {
  globalThis.setInterval = Object.assign((...parts: Parameters<typeof original>) => {
    const timer = original(...parts);
    running.push(timer);
    return timer;
  }, original);
});

afterAll(() => {
  globalThis.setInterval = original;
  for (const timer of running) end(timer);
  Reflect.deleteProperty(globalThis, Symbol.for("opentelemetry.js.api.1"));
});
