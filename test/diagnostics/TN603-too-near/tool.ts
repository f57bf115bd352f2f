/**
 * Gets a user of the directory.
 * @tool
 * @readonly
 * @param account - Key of the account.
 */
export function getUser(account: string): string {
  return account;
}

/**
 * Fetches one account of the directory.
 * @tool
 * @readonly
 * @param account - Key of the account.
 */
export function fetchUser(account: string): string {
  return account;
}

/**
 * Enables a rule of the directory.
 * @tool
 * @param rule - Name of the rule.
 */
export function enableRule(rule: string): string {
  return rule;
}

/**
 * Disables a rule of the directory.
 * @tool
 * @param rule - Name of the rule.
 */
export function disableRule(rule: string): string {
  return rule;
}
