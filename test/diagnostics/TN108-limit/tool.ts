/**
 * Runs never.
 * @tool
 * @limit 0
 */
export function never(): void {}

/**
 * Runs often.
 * @tool
 * @limit often
 */
export function often(): void {}

/**
 * Runs in a pool.
 * @tool
 * @limit 2 for each caller
 */
export function pool(): void {}

/**
 * Runs twice.
 * @tool
 * @limit 2
 * @limit 1 per caller
 */
export function twice(): void {}
