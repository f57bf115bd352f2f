/**
 * Both.
 * @tool
 * @prompt
 */
export function both(): string {
  return "";
}

/**
 * No such file.
 * @tool
 * @inputSchema missing.json
 */
export function missing(): string {
  return "";
}

/**
 * Not one of them.
 * @tool
 * @text html
 */
export function text(): string {
  return "";
}
