/**
 * Closes an account for good.
 * @tool
 * @destructive
 * @param id - Id.
 */
export function closeAccount(id: string): string {
  return id;
}

/**
 * Subtracts a number from another.
 * @tool
 */
export function subtract(a: number, b: number): number {
  return a - b;
}
