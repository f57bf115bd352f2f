/** Tests whether a number is prime. */
export function isPrime(number: number): boolean {
  return number > 1;
}
