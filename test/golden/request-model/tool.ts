import type { JobContext } from "tenon";

/** @schema urn:example:schema.is-prime.request.1 */
export interface PrimeRequest {
  /** The number to test. @type uint32 */
  number: number;
}

/** @schema urn:example:schema.is-prime.1 */
export interface PrimeResult {
  number: number;
  /** True when `number` has exactly two divisors. */
  isPrime: boolean;
}

/**
 * Tests whether a number is prime.
 * @tool
 */
export async function isPrime(request: PrimeRequest, job: JobContext): Promise<PrimeResult> {
  job.logger.info("testing");
  return { number: request.number, isPrime: request.number === 2 };
}
