import type { FollowedJobs } from "./followed-jobs.ts";
import type { StoreRounds } from "./store-rounds.ts";

/** Code that a service needs once a job is stored beyond its call. */
export interface KeptCode {
  readonly FollowedJobs: typeof FollowedJobs;
  readonly StoreRounds: typeof StoreRounds;
}

const made: { code?: KeptCode; loading?: Promise<KeptCode> } = {};

/** Loads the code for stored jobs; returns a promise only if the code has to be loaded. */
export function loadKept(): KeptCode | Promise<KeptCode> {
  return made.code ?? (made.loading ??= load());
}

async function load(): Promise<KeptCode> {
  try {
    const [followed, rounds] = await Promise.all([import("./followed-jobs.ts"), import("./store-rounds.ts")]);
    return (made.code = { ...followed, ...rounds });
  } finally {
    // A failed load is forgotten, so that the next call retries.
    delete made.loading;
  }
}
