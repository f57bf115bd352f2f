import type { Entry } from "./history.ts";

export interface SweepReport {
  readonly breaches: readonly string[];
  /** Number of kills by victim. */
  readonly kills: Readonly<Record<string, number>>;
  readonly pauses: number;
  /** Number of jobs by outcome. */
  readonly ends: Readonly<Record<string, number>>;
  /** Refused writes of attempts that had lost their job. */
  readonly refused: number;
  readonly history: readonly Entry[];
}

/** The last state of all jobs, and the writes that came too late. */
export function summary(history: readonly Entry[]): Pick<SweepReport, "ends" | "refused"> {
  const last = new Map<string, string>();
  let refused = 0;
  for (const entry of history) {
    if (entry.kind === "seen") last.set(entry.id, entry.status);
    else if (entry.kind === "write" && (entry.status === 409 || entry.status === 410)) refused++;
  }
  const ends: Record<string, number> = {};
  for (const status of last.values()) ends[status] = (ends[status] ?? 0) + 1;
  return { ends, refused };
}
