import type { JobContext } from "tenon";
import { factorise } from "./factorise.ts";

/**
 * A number to test.
 * @schema urn:example:schema.is-prime.request.1
 */
export interface PrimeRequest {
  /**
   * The number to test: a whole number from 0 to 4294967295.
   * @type uint32
   * @example 997
   */
  number: number;
}

/**
 * The verdict on one number.
 * @schema urn:example:schema.is-prime.1
 */
export interface PrimeResult {
  /** The number that was tested. @type uint32 */
  number: number;
  /** True when `number` has exactly two divisors, 1 and itself. 0 and 1 are not prime. */
  isPrime: boolean;
}

/**
 * Tests whether a whole number is prime.
 *
 * The answer is exact, not probable, for every number up to 4294967295. Use it instead of guessing: numbers such as
 * 3215031751 pass most quick tests and are not prime. The job's only step, `factorise`, ends with the prime factors.
 *
 * @tool
 * @title Is it prime?
 * @readonly
 * @idempotent
 * @example { "number": 997 }
 */
export async function isPrime(request: PrimeRequest, job: JobContext): Promise<PrimeResult> {
  const { number } = request;
  return job.report.step("factorise", { message: `Checking ${number}` }, (step) => {
    const factors = factorise(number, job.signal);
    const isPrime = factors.length === 1;
    step.finished({ message: verdict(number, factors) });
    return { number, isPrime };
  });
}

function verdict(number: number, factors: readonly number[]): string {
  if (factors.length === 0) return `${number} is not prime: it has no prime factors`;
  if (factors.length === 1) return `${number} is prime`;
  return `${number} is not prime: it is ${factors.join(" × ")}`;
}
