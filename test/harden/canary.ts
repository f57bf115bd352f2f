import type { Contender } from "./attack.ts";
import type { Target } from "./target.ts";
import { ask, framed } from "./wire.ts";

/** An MCP call as text. */
export function callText(name: string, args: string, id = "1"): string {
  return `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"${name}","arguments":${args}}}`;
}

/** A legal call, by the front that the contender has. */
export function legalCall({ rest, mcp = "" }: Contender): Buffer {
  const body = '{"number":997}';
  return rest === undefined ? framed(mcp, callText("isPrime", body)) : framed(rest, body);
}

/** Milliseconds to the right answer to a legal call; undefined when there is none. */
export async function canary(
  contender: Contender,
  { port }: Target,
  milliseconds = 20_000,
): Promise<number | undefined> {
  const start = performance.now();
  const answer = await ask(port, legalCall(contender), milliseconds);
  const isRight = answer?.status === 200 && /isPrime\\?":true/.test(answer.body);
  return isRight ? performance.now() - start : undefined;
}

/** Damage to a server that was attacked; empty where it is as it was. */
export async function damage(contender: Contender, target: Target): Promise<readonly string[]> {
  if (target.ended === undefined && (await canary(contender, target)) !== undefined) return [];
  const ended = await target.settled();
  return [ended === undefined ? "a legal call is not answered any more" : `the process ended: ${ended}`];
}
