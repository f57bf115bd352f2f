/** Shortest and longest time in milliseconds. */
export type DelayRange = readonly [number, number];

/** An agent of a phase; it does its tasks one after the other. */
export interface Agent {
  readonly id: string;
  readonly name: string;
  readonly tasks: readonly string[];
  readonly delayRangeMs: DelayRange;
}

/** A part of a workflow; its agents work at the same time. */
export interface Phase {
  readonly id: string;
  readonly name: string;
  readonly agents: readonly Agent[];
  /** Before the phase begins. */
  readonly delayRangeMs: DelayRange;
}

export interface Preset {
  readonly name: string;
  readonly description: string;
  /** None: the workflow is a clock that ticks. */
  readonly phases: readonly Phase[];
}

/** Workflows that can be simulated, by name. */
export const presets = {
  timer_tick: { name: "timer_tick", description: "A clock that ticks.", phases: [] },
  review: {
    name: "review",
    description: "Two people read a text, and a third one mends it.",
    phases: [
      {
        id: "reading",
        name: "Reading",
        delayRangeMs: [50, 200],
        agents: [
          { id: "facts", name: "Fact reader", tasks: ["dates", "names", "numbers"], delayRangeMs: [100, 400] },
          { id: "style", name: "Style reader", tasks: ["sentences", "words"], delayRangeMs: [100, 300] },
        ],
      },
      {
        id: "mending",
        name: "Mending",
        delayRangeMs: [50, 100],
        agents: [{ id: "writer", name: "Writer", tasks: ["rewrite", "read again"], delayRangeMs: [200, 500] }],
      },
    ],
  },
  research_pipeline: {
    name: "research_pipeline",
    description: "Twelve agents in four phases: hundreds of events.",
    phases: ["plan", "collect", "compare", "write"].map((id, index) => ({
      id,
      name: `Phase ${index + 1}: ${id}`,
      delayRangeMs: [20, 80] as const,
      agents: ["north", "east", "south"].map((place) => ({
        id: `${id}-${place}`,
        name: `${id}, ${place}`,
        tasks: Array.from({ length: 20 }, (_, task) => `${id} item ${task + 1} of the ${place}`),
        delayRangeMs: [5, 25] as const,
      })),
    })),
  },
} as const satisfies Readonly<Record<string, Preset>>;
