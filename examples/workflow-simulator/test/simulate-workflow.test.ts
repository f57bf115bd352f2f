import { callTool } from "tenon/testing";
import { describe, expect, it } from "vitest";
import { randomNumbers } from "../src/random.ts";
import { simulateWorkflow } from "../src/simulate-workflow.ts";

describe("simulateWorkflow", () => {
  it("ticks: a step for each tick, and none for the rest of the time", async () => {
    const request = { totalRunTimeSeconds: 17, tickIntervalSeconds: 5, speed: 10_000 };
    const { result, events } = await callTool(simulateWorkflow, request);
    expect(events.map(({ $schema, name }) => [String($schema).split(".").at(-2), name])).toEqual(
      [1, 2, 3].flatMap((tick) => [
        ["start", `timer:tick:${tick}`],
        ["finish", `timer:tick:${tick}`],
      ]),
    );
    expect(result).toMatchObject({ presetName: "timer_tick", phasesCompleted: 0, totalEvents: 6 });
  });

  it("warms up with one event", async () => {
    const { wire, events } = await callTool(simulateWorkflow, { mode: "warm" });
    expect(wire).toEqual({
      $schema: "urn:example:schema.workflow-simulator.1",
      message: "Service warm-up complete",
      phasesCompleted: 0,
      agentsExecuted: 0,
      totalEvents: 1,
      elapsedSeconds: expect.any(Number),
    });
    expect(events.length).toBe(1);
  });

  it.each([
    ["review", 2, 3, 17],
    ["research_pipeline", 4, 12, 272],
  ] as const)("plays %s: phases one after the other, their agents at the same time", async (presetName, ...counts) => {
    const { result, events, steps } = await callTool(simulateWorkflow, { presetName, speed: 10_000 });
    expect([result.phasesCompleted, result.agentsExecuted, result.totalEvents]).toEqual(counts);
    expect(events.length).toBe(result.totalEvents);
    expect(steps.every(({ finished }) => finished !== undefined)).toBe(true);
    const phases = events.filter(({ name }) => String(name).startsWith("phase:")).map(({ name }) => name);
    expect(phases).toEqual([...new Set(phases)].flatMap((name) => [name, name]));
    const tasks = events.filter(({ $schema }) => $schema === "urn:example:schema.workflow-simulator.task.1");
    expect(tasks.filter(({ progress }) => progress === 100).length).toBe(result.agentsExecuted);
  });

  it("stops where it is when the job is cancelled", async () => {
    const signal = AbortSignal.timeout(50);
    const request = { totalRunTimeSeconds: 3600, tickIntervalSeconds: 60 };
    await expect(callTool(simulateWorkflow, request, { signal })).rejects.toMatchObject({ kind: "cancelled" });
  });
});

describe("randomNumbers", () => {
  it("repeats itself for the same seed, and spreads over the range", () => {
    const [one, other] = [randomNumbers(7), randomNumbers(7)];
    const numbers = Array.from({ length: 10_000 }, one);
    expect(Array.from({ length: 10_000 }, other)).toEqual(numbers);
    expect(numbers.every((number) => number >= 0 && number < 1)).toBe(true);
    expect(numbers.filter((number) => number < 0.5).length).toBeGreaterThan(4800);
    expect(numbers.filter((number) => number < 0.5).length).toBeLessThan(5200);
  });
});
