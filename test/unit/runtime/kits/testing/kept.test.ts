import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { StepDefinition } from "../../../../../runtime/contract/contract.ts";
import type { JobContext } from "../../../../../runtime/executor/run/job-context.ts";
import { callTool } from "../../../../../runtime/kits/testing/call-tool.ts";
import { recordedJob } from "../../../../../runtime/kits/testing/recorded-job.ts";
import { clearRegistry } from "../../../../../runtime/service/tools/registry.ts";
import { definedTool } from "../../../../support/defined-tool.ts";

const codec = {
  fingerprint: "f",
  optional: true,
  decode: (wire: unknown): unknown => (typeof wire === "string" ? new Date(wire) : wire),
};

/** Calls a method as the build has it: with its codec. */
function call(job: JobContext, method: "step" | "wait", ...args: unknown[]): Promise<unknown> {
  return (job[method] as (...given: unknown[]) => Promise<unknown>).call(job, ...args, codec);
}

test("a job under test finds the failures that it is given, as the history of a job has them", async () => {
  const { job } = recordedJob({
    failed: { charge: { kind: "system", message: "no money" }, "~wait:vote": { kind: "timeout", message: "" } },
  });
  await expect(call(job, "step", "charge", () => 1)).rejects.toMatchObject({ name: "StepError", message: "no money" });
  await expect(call(job, "wait", "vote", {})).rejects.toMatchObject({ name: "WaitTimeoutError" });
});

test("a history in JSON has null for a step that returned undefined", async () => {
  const text = { fingerprint: "f", optional: true, is: (wire: unknown): boolean => typeof wire === "string" };
  const { job } = recordedJob({ kept: { find: null } });
  const found = (job.step as (...given: unknown[]) => Promise<unknown>).call(job, "find", {}, () => "x", text);
  expect(await found).toBeUndefined();
});

test("a job under test finds the steps and messages that it is given, and runs the others", async () => {
  const at = new Date(5);
  const { job } = recordedJob({ kept: { charge: at, "ship[a]": undefined }, messages: { "vote[1]": { yes: true } } });
  let calls = 0;
  const run = (): string => `run ${(calls += 1)}`;
  expect(await call(job, "step", "charge", run)).toEqual(at);
  expect(await call(job, "step", "ship", { key: "a" }, run)).toBeUndefined();
  expect(await call(job, "step", "ship", { key: "b" }, () => calls + 1)).toBe(1);
  expect(await call(job, "wait", "vote", { key: 1 })).toEqual({ yes: true });
  expect(calls).toBe(0);
});

describe("names that a test writes", () => {
  afterAll(clearRegistry);
  // The step of the helper is not in the definition, as those of other modules are not.
  const pay = async (request: { readonly fails: boolean }, job: JobContext): Promise<number> => {
    const charge = (await call(job, "step", "charge", {}, () => 1)) as number;
    if (request.fails) throw new Error("It fails.");
    await call(job, "step", "helper", { key: 1 }, () => 1);
    return charge;
  };
  beforeAll(() => {
    const step = (name: string): StepDefinition => ({ name, fingerprint: "f" });
    const steps: StepDefinition[] = [step("charge"), { ...step("ship"), keyed: true }, step("refund")];
    definedTool(pay, { name: "pay", definition: { steps } });
  });

  test("are those of the tool, and of steps elsewhere for which it asks", async () => {
    const options = { kept: { charge: 7, "ship[1]": 1, "helper[2]": 1, "~sleep:1": null } };
    expect((await callTool(pay, { fails: false }, options)).result).toBe(7);
    await expect(callTool(pay, { fails: true }, { kept: { ...options.kept, elsewhere: 1 } })).rejects.toThrow(
      "The tool failed",
    );
  });

  test.each([
    [{ kept: { typo: 1 } }, 'kept: "typo" is not a step of pay. Known are: charge, ship[…], refund, helper[…].'],
    [{ kept: { chrage: 1 } }, 'kept: "chrage" is not a step of pay. Did you mean "charge"? Known are: '],
    [
      { failed: { ship: { kind: "system", message: "" } } },
      'failed: "ship" is not a step of pay. Did you mean "ship[…]"?',
    ],
    [{ messages: { approval: true } }, 'messages: "approval" is not a message that pay waits for. Known are: none.'],
  ] as const)("are refused otherwise: %o", async (options, text) => {
    await expect(callTool(pay, { fails: false }, options)).rejects.toThrow(text);
  });

  test("are refused when the tool fails, if one of its names is near", async () => {
    await expect(callTool(pay, { fails: true }, { kept: { chrage: 1 } })).rejects.toThrow('Did you mean "charge"?');
  });

  test("may be of removed steps in a recorded history", async () => {
    const history = { kept: { charge: 7, removed: 1 }, failed: {}, messages: {}, steps: [] };
    expect((await callTool(pay, { fails: false }, history)).result).toBe(7);
  });
});
