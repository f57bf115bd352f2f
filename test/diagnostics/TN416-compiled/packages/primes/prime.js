/** Tests whether a number is prime.
 * @tool
 * @param number The number. */
export function isPrime(number) {
  return number > 1;
}
