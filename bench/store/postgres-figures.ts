import { startPostgres } from "../../test/support/postgres-server.ts";
import type { Figure } from "../lib/figure.ts";
import { depthFigure } from "./postgres-depth.ts";
import { queueFigures } from "./postgres-queues.ts";
import { replicaFigures } from "./postgres-replicas.ts";

export interface PostgresSizes {
  readonly rounds: number;
  /** Jobs of a round. */
  readonly jobs: number;
  /** Jobs among which one is claimed. */
  readonly waiting: number;
  readonly progress: (text: string) => void;
}

/** All figures of PostgreSQL, on one server whose writes wait for the disk. */
export async function postgresFigures({ rounds, jobs, waiting, progress }: PostgresSizes): Promise<readonly Figure[]> {
  const server = await startPostgres({ isDurable: true, settings: ["max_connections=200"] });
  const url = server.url();
  try {
    const queues = await queueFigures({ url, rounds, jobs, progress });
    progress("store: replicas on PostgreSQL");
    const replicas = await replicaFigures({ url, rounds });
    return [...queues, await depthFigure({ url, rounds, waiting, progress }), ...replicas];
  } finally {
    await server.stop();
  }
}
