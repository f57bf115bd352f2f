/**
 * The request of `npm run hosts` on the command line: `{ transport, url }` or `{ transport, command, args }`.
 *
 * @typedef {{ transport: "http" | "stdio", url: string, command: string, args: string[] }} Request
 * @returns {Request}
 */
export function readRequest() {
  return JSON.parse(process.argv[2] ?? "{}");
}

/**
 * Tells what a client saw, and ends the process: some clients keep connections open.
 *
 * @param {{ tools: string[], text: string, failure: string }} seen
 */
export function tell(seen) {
  process.stdout.write(`${JSON.stringify(seen)}\n`, () => process.exit(0));
}
