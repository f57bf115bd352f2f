/**
 * Tests whether a number is prime.
 * @tool
 * @param number - The number to test.
 * @ask "Is 7 a prime number?" {"number": 7}
 * @ask "Which primes are below ten?" none
 * @ask "Is eight prime?" {"number": "8"}
 * @ask "Is nine prime?" {"numbr": 9}
 * @ask Is ten prime? {"number": 10}
 * @ask "Is eleven prime?"
 * @ask "Is twelve prime?" 12
 */
export function isPrime(number: number): boolean {
  return number === 2;
}
