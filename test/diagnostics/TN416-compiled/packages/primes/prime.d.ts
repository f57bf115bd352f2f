/** Tests whether a number is prime.
 * @tool
 * @param number The number. */
export declare function isPrime(number: number): boolean;
