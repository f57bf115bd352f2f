import { afterEach, expect, test, vi } from "vitest";
import { devHostKey } from "../../../../runtime/contract/process-keys.ts";
import { startLambdaServer } from "../../../../runtime/start/start.ts";

afterEach(() => {
  Reflect.deleteProperty(globalThis, devHostKey);
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

test("under tenon dev, a build that does not start is refused with its reason, and the one before keeps serving", async () => {
  const refusals: string[] = [];
  const reload = vi.fn<() => Promise<void>>();
  const running = { url: "http://127.0.0.1:1", reload };
  Reflect.set(globalThis, devHostKey, { running, refused: (reason: string) => refusals.push(reason) });
  vi.stubEnv("PLATFORM_BASE_URL", "nowhere");
  const written = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  expect(await startLambdaServer({ name: "shop", version: "1.0.0", description: "A shop." })).toBe(running);
  expect(refusals).toEqual([expect.stringContaining("PLATFORM_BASE_URL")]);
  expect([reload, written].map((one) => one.mock.calls.length)).toEqual([0, 0]);
});
