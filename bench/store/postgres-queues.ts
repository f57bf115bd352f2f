import { atLeast, type Figure } from "../lib/figure.ts";
import { interleave } from "../lib/rounds.ts";
import { measure } from "./measure.ts";
import type { QueueContender } from "./queue.ts";

const inFlight = 50;

export interface QueueSizes {
  readonly url: string;
  readonly rounds: number;
  /** Jobs of a round; slow peers do a tenth. */
  readonly jobs: number;
  readonly progress: (text: string) => void;
}

/** Our store beside two queue libraries, in schemas of one server. */
export async function queueFigures({ url, rounds, jobs, progress }: QueueSizes): Promise<readonly Figure[]> {
  const contenders = await loadContenders();
  let schemas = 0;
  const samples = await interleave(
    contenders.map(({ name, open }) => ({
      name,
      sample: async () => {
        const count = name === "tenon" ? jobs : Math.ceil(jobs / 10);
        const { through, submit, close } = await open(url, `queue${schemas++}`);
        try {
          // Code and the server's plans are warm then.
          await measure(through, Math.ceil(count / 5), inFlight);
          const { perSecond } = await measure(through, count, inFlight);
          const { p50 } = await measure(through, Math.min(200, count), 1);
          return { perSecond, p50, submitted: (await measure(submit, count, inFlight)).perSecond };
        } finally {
          await close();
        }
      },
    })),
    { rounds, warmups: 0, onRound: (round) => progress(`store: round ${round + 1} of ${rounds} on PostgreSQL`) },
  );
  const rate = samples.median("perSecond", "tenon");
  const peers = contenders.map(({ name }) => name).filter((name) => name.startsWith("pg-boss"));
  return [
    {
      id: "store-postgres",
      name: `Jobs through PostgreSQL, submitted, claimed and ended, ${inFlight} in flight`,
      unit: "jobs/s",
      better: "higher",
      rows: samples.rows("perSecond"),
      goals: [
        atLeast(8000, "tenon", rate, "jobs/s"),
        ...(peers.length === 0
          ? []
          : [
              atLeast(
                5,
                "tenon ÷ the faster way of pg-boss",
                Math.min(...peers.map((name) => samples.ratio("perSecond", "tenon", name))),
              ),
            ]),
      ],
    },
    {
      id: "store-postgres-submit",
      name: `Jobs submitted to PostgreSQL, ${inFlight} in flight; tenon's with their lease`,
      unit: "jobs/s",
      better: "higher",
      rows: samples.rows("submitted"),
      goals: [atLeast(20_000, "tenon", samples.median("submitted", "tenon"), "jobs/s")],
    },
  ];
}

/** All queues; ours alone where the peers are not installed. */
async function loadContenders(): Promise<readonly QueueContender[]> {
  const { tenonQueue } = await import("./tenon-queue.ts");
  try {
    return [tenonQueue, ...(await import("./peer-queues.ts")).peerQueues];
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND") return [tenonQueue];
    throw error;
  }
}
