/** Tests whether a number is prime.
 * @tool
 * @param {number} number The number.
 * @returns {boolean} */
export function isPrime(number) {
  return number > 1;
}
