/** The source that a visitor finds: the example of the README. */
export const example = `/** @schema urn:example:schema.is-prime.request.1 */
export interface PrimeRequest {
  /** The number to test. @type uint32 */
  number: number;
}

/** @schema urn:example:schema.is-prime.1 */
export interface PrimeResult {
  number: number;
  /** True when \`number\` has exactly two divisors. */
  isPrime: boolean;
}

/** Tests whether a number is prime.
 * @tool */
export function isPrime({ number }: PrimeRequest): PrimeResult {
  for (let d = 2; d * d <= number; d += 1) if (number % d === 0) return { number, isPrime: false };
  return { number, isPrime: number > 1 };
}
`;
