import { CommandError } from "../base/usage.ts";
import { listItems } from "./ask.ts";
import type { Ask } from "./ask.ts";
import { shortId } from "./show-events.ts";

/** Jobs that are looked through for a short id, the latest first. */
const searched = 1000;

/**
 * The id of a job that somebody names as the live view does, by its last letters. Any other text is the id itself, also
 * one that no job has: the platform says so.
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
