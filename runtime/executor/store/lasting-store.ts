import type { RemembersAttempts, RemembersInputs } from "./attempts.ts";
import type { DeadLetters } from "./dead-letters.ts";
import type { ExtendsLeases } from "./extends-leases.ts";
import type { CountsJobs } from "./job-counts.ts";
import type { JobStore, TellsTrouble } from "./job-store.ts";
import type { ListsJobs } from "./listed-jobs.ts";

/** A store whose jobs outlive its process. */
export interface LastingStore
  extends
    JobStore,
    DeadLetters,
    ListsJobs,
    RemembersAttempts,
    RemembersInputs,
    CountsJobs,
    ExtendsLeases,
    TellsTrouble {}
