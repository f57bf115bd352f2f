/**
 * Get user.
 * @tool
 * @readonly
 * @param account - Key of the account.
 */
export function getUser(account: string): string {
  return account;
}

/**
 * Prime test.
 * @tool
 * @param number - A whole number.
 */
export function isPrime(number: number): boolean {
  return number > 1;
}

/**
 * 检查数字。
 * @tool
 * @param number - A whole number.
 */
export function check(number: number): boolean {
  return number > 1;
}
