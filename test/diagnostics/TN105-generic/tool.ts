/** Gives back what it gets. @tool @param value Anything. */
export function echo<T>(value: T): T {
  return value;
}
