/**
 * Says hello.
 * @tool
 * @path /greet
 */
export function hello(): string {
  return "Hello";
}

/**
 * Says goodbye.
 * @tool
 * @path /greet
 */
export function goodbye(): string {
  return "Goodbye";
}

/**
 * Says nothing.
 * @tool
 * @path /tool/wave
 */
export function nod(): string {
  return "";
}

/**
 * Waves.
 * @tool
 */
export function wave(): string {
  return "o/";
}
