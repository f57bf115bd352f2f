/**
 * Tries once.
 * @tool
 * @retry 1
 */
export function once(): void {}

/**
 * Tries at odd times.
 * @tool
 * @retry 5 5m..2s
 */
export function backwards(): void {}

/**
 * Tries again and again.
 * @tool
 * @retry often
 */
export function often(): void {}
