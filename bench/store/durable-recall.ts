import { openPostgresStore } from "../../runtime/executor/store/postgres/open-postgres.ts";
import { newJobUrn } from "../../runtime/job/job-id.ts";
import { atMost, type Figure } from "../lib/figure.ts";
import { interleave } from "../lib/rounds.ts";
import { input } from "./steps.ts";

const counts = [10, 100, 1000];

/** Reads all steps of a job, as at the moment when it is taken up again. */
export async function recallFigure(url: string, rounds: number): Promise<Figure> {
  const store = await openPostgresStore(`${url}?schema=recall`);
  const nameOf = (count: number): string => `${count.toLocaleString("en")} steps`;
  try {
    const jobs = await Promise.all(
      counts.map(async (count) => {
        const id = newJobUrn();
        const answer = await store.submit({ id, tool: "bench", input, ttl: 3600, maxAttempts: 3 }, 60);
        if (answer.kind !== "created" || answer.lease === undefined) throw new Error("no lease");
        const value = JSON.stringify(input);
        const steps = Array.from({ length: count }, (_, index) => ({
          key: `work ${index}`,
          state: "done" as const,
          tries: 1,
          fingerprint: "bench",
          value,
        }));
        if ((await store.keep(answer.lease, steps)) !== "ok") throw new Error("not kept");
        return { name: nameOf(count), id };
      }),
    );
    const samples = await interleave(
      jobs.map(({ name, id }) => ({
        name,
        sample: async () => {
          const began = performance.now();
          for (let index = 0; index < 20; index++) await store.recall(id);
          return { ms: (performance.now() - began) / 20 };
        },
      })),
      { rounds },
    );
    return {
      id: "durable-recall",
      name: "All kept steps of a job, read from PostgreSQL",
      unit: "ms",
      better: "lower",
      rows: samples.rows("ms"),
      goals: [atMost(10, nameOf(1000), samples.median("ms", nameOf(1000)), "ms")],
    };
  } finally {
    await store.close();
  }
}
