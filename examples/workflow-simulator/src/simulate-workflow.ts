import type { JobContext } from "tenon";
import { presets, type Preset } from "./presets.ts";
import { randomNumbers } from "./random.ts";
import { Simulation } from "./simulation.ts";

/**
 * A workflow to play.
 * @schema urn:example:schema.workflow-simulator.request.1
 */
export interface SimulationRequest {
  /**
   * `run` plays the workflow; `warm` only makes sure that the service has started.
   * @default "run"
   */
  mode?: "run" | "warm";
  /**
   * The workflow: `timer_tick` is a clock, `review` has three agents, `research_pipeline` twelve.
   * @default "timer_tick"
   */
  presetName?: "timer_tick" | "review" | "research_pipeline";
  /**
   * Seconds that `timer_tick` runs for.
   * @minimum 0 @maximum 3600 @default 30
   */
  totalRunTimeSeconds?: number;
  /**
   * Seconds from one tick to the next.
   * @exclusiveMinimum 0 @maximum 3600 @default 5
   */
  tickIntervalSeconds?: number;
  /**
   * Speed: this many times faster than in reality.
   * @exclusiveMinimum 0 @maximum 10000 @default 1
   */
  speed?: number;
  /**
   * The same number gives the same delays.
   * @type uint32 @default 1
   */
  seed?: number;
}

/**
 * The workflow as it was played.
 * @schema urn:example:schema.workflow-simulator.1
 */
export interface SimulationResult {
  /** In a sentence. */
  message: string;
  /** The workflow; absent in warm mode. */
  presetName?: string;
  /** Phases that were played to their end. @type uint32 */
  phasesCompleted: number;
  /** Agents that did all their tasks. @type uint32 */
  agentsExecuted: number;
  /** Events that the job reported. @type uint32 */
  totalEvents: number;
  /** Seconds that it took. */
  elapsedSeconds: number;
}

/**
 * Plays a workflow of agents in their own time and reports every step of it, as a real one would.
 *
 * Use it to see how a client copes with many events, long jobs and cancelling. Nothing is computed.
 *
 * @tool
 * @title Simulate a workflow
 * @example { "presetName": "timer_tick", "totalRunTimeSeconds": 2, "tickIntervalSeconds": 1 }
 */
export async function simulateWorkflow(request: SimulationRequest, job: JobContext): Promise<SimulationResult> {
  const started = performance.now();
  const { mode = "run", presetName = "timer_tick", speed = 1, seed = 1 } = request;
  const preset: Preset = presets[presetName];
  const simulation = new Simulation(job, speed, randomNumbers(seed));
  const end = (message: string): SimulationResult => ({
    message,
    ...(mode === "run" && { presetName }),
    phasesCompleted: simulation.phases,
    agentsExecuted: simulation.agents,
    totalEvents: simulation.events,
    elapsedSeconds: (performance.now() - started) / 1000,
  });
  if (mode === "warm") {
    simulation.report({ message: "Warm" });
    return end("Service warm-up complete");
  }
  if (preset.phases.length === 0) {
    const { totalRunTimeSeconds = 30, tickIntervalSeconds = 5 } = request;
    await simulation.tick(totalRunTimeSeconds, tickIntervalSeconds);
  }
  for (const phase of preset.phases) await simulation.play(phase);
  return end(`${preset.description} Played to its end.`);
}
