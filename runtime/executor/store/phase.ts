/** State of a stored job, as a number. The order matters: from `ended` on it has an outcome. */
export const phase = { pending: 0, delayed: 1, executing: 2, ended: 3, dead: 4 } as const;
