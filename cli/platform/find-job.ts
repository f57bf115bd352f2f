import { CommandError } from "../base/usage.ts";
import { listItems } from "./ask.ts";
import type { Ask } from "./ask.ts";
import { shortId } from "./show-events.ts";

/** Maximum number of jobs that are searched for a short id, the latest first. */
const searched = 1000;

/**
 * Finds the id of a job by its last letters, which the live view shows. Any other text is returned as the id itself; if
 * no job has it, the platform reports that.
 */
export async function findJob(ask: Ask, text: string): Promise<string> {
  if (text !== shortId(text) || text.includes(":")) return text;
  const found: string[] = [];
  for await (const { id } of listItems(ask, "/jobs", searched)) {
    const known = String(id);
    if (known === text || known.endsWith(`:${text}`)) return known;
    if (shortId(known) === text) found.push(known);
  }
  const [id = text, ...others] = found;
  if (others.length === 0) return id;
  throw new CommandError(`Several jobs end with ${text}; give the whole id of one: ${found.join(", ")}`);
}
