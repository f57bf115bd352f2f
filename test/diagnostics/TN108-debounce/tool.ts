/**
 * Waits for nothing.
 * @tool
 * @debounce 0s
 */
export function never(): void {}

/**
 * Waits for a while.
 * @tool
 * @debounce a while
 */
export function often(): void {}

/**
 * Ends before it begins.
 * @tool
 * @debounce 1m per caller max 5s
 */
export function short(): void {}
