/**
 * State of a stored job, as a number. The order matters: from `ended` on the job has an outcome. A `held` job exceeds
 * the limit of its key: it cannot be claimed, and becomes `pending` when another job of the key ends.
 */
export const phase = { held: -1, pending: 0, delayed: 1, executing: 2, ended: 3, dead: 4 } as const;
