import { type ClientProcess, startClientProcess } from "../lib/client-process.ts";
import { type Curve, curvesFigure, type Figure } from "../lib/figure.ts";
import { summarise } from "../lib/rounds.ts";

const module_ = new URL("queue-process.ts", import.meta.url).pathname;
/** A way of a rival that needs no news of a job's end from the process that took it. */
const rival = "pg-boss, send, fetch and complete";

/** Jobs a second through PostgreSQL over the number of processes, each with 50 of them in flight. */
export async function replicasFigure(url: string, quick: boolean, progress: (text: string) => void): Promise<Figure> {
  const curves: Curve[] = [];
  for (const [name, jobs] of [
    ["tenon", quick ? 2000 : 16_000],
    [rival, quick ? 200 : 1600],
  ] as const) {
    const points: (readonly [number, number])[] = [];
    for (const count of quick ? [1, 2] : [1, 2, 4, 8]) {
      progress(`jobs of ${name}: ${count} replicas`);
      const schema = `${name.slice(0, 2)}${count}`;
      const replicas: ClientProcess[] = [];
      try {
        // One after the other: the first one makes the tables.
        for (let index = 0; index < count; index++)
          replicas.push(await startClientProcess(module_, [name, url, schema]));
        const all = (work: number): Promise<unknown> => Promise.all(replicas.map((replica) => replica.round(work)));
        await all(jobs / count / 4);
        const rates: number[] = [];
        for (let round = 0; round < (quick ? 1 : 3); round++) {
          const began = performance.now();
          await all(jobs / count);
          rates.push((jobs / (performance.now() - began)) * 1000);
        }
        points.push([count, summarise(rates).median]);
      } finally {
        for (const replica of replicas) replica.stop();
      }
    }
    curves.push({ contender: name, points });
  }
  return curvesFigure({
    id: "growth-replicas",
    name: "Jobs a second through PostgreSQL over the number of replicas, 50 in flight each",
    unit: "jobs/s",
    better: "higher",
    axis: "replicas",
    curves,
  });
}
