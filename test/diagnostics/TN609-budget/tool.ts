import { Service } from "tenon";

/**
 * Gets a user of the directory, with the rooms and the groups that the user belongs to, and the day of the last visit.
 * @tool
 * @readonly
 * @param account - Key of the account.
 */
export function getUser(account: string): string {
  return account;
}

/**
 * Rings a bell.
 * @tool
 */
export function ringBell(): string {
  return "ding";
}

export const service = new Service({ name: "Directory" });
