/**
 * Runs never.
 * @tool
 * @rate 0/min
 */
export function never(): void {}

/**
 * Runs often.
 * @tool
 * @rate often
 */
export function often(): void {}

/**
 * Says the time in full.
 * @tool
 * @rate 100/minutes per caller
 */
export function inFull(): void {}

/**
 * Has no burst.
 * @tool
 * @rate 100/min burst 0
 */
export function burst(): void {}

/**
 * Cannot replace.
 * @tool
 * @rate 100/min per caller replace
 */
export function replace(): void {}

/**
 * Is too fast.
 * @tool
 * @rate 2000/s
 */
export function fast(): void {}
