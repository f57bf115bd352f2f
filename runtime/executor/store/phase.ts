/**
 * State of a stored job, as a number. The order matters: from `ended` on it has an outcome. A `held` one is above the
 * limit of its key: nobody can claim it, and it becomes `pending` when another of its key ends.
 */
export const phase = { held: -1, pending: 0, delayed: 1, executing: 2, ended: 3, dead: 4 } as const;
