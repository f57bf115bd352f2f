/** @schema urn:example:schema.is-prime.request.1 */
export interface PrimeRequest {
  /** The number to test. @type uint32 */
  number: number;
}

/** Tests whether a number is prime.
 * @tool */
export function isPrime({ number }: PrimeRequest): boolean {
  for (let d = 2; d * d <= number; d += 1) if (number % d === 0) return false;
  return number > 1;
}
