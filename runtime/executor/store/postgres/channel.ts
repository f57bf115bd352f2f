import { createHash } from "node:crypto";
import { jobUrnPrefix } from "../../../job/job-id.ts";
import type { JobChange, JobNews } from "../job-news.ts";
import type { SharedNews } from "./shared-news.ts";

/**
 * First letter of a message; a list follows it. The letters stand for: jobs with new events, jobs with new answers,
 * ended jobs, tools with claimable jobs; or a note.
 */
export const messageKinds = { events: "p", answers: "a", ended: "e", ready: "r", note: "n" } as const;
/** Replaces a list that is too long for a message. */
export const anyOfThem = "*";
/** Maximum bytes of a list; PostgreSQL accepts messages of less than 8000. */
export const maxListBytes = 7990;

/** Returns the channel on which the replicas of a schema are notified of changes. */
export function channelOf(schema: string): string {
  // The name contains a hash of the schema, since both names have the same maximum length.
  return `tenon_${createHash("sha256").update(schema).digest("hex").slice(0, 32)}`;
}

/** Passes a message of another replica, or of this one, on to the listeners of its jobs or tools. */
export function hear(payload: string, news: JobNews & Partial<Pick<SharedNews, "tellNote">>): void {
  const list = readList(payload.slice(1));
  switch (payload.charAt(0)) {
    case messageKinds.events:
      tellAll(list, "events", news);
      return;
    case messageKinds.answers:
      tellAll(list, "answers", news);
      return;
    case messageKinds.ended:
      tellAll(list, "ended", news);
      return;
    case messageKinds.ready:
      news.tellReady(list);
      return;
    case messageKinds.note:
      news.tellNote?.(payload.slice(1));
      return;
    default:
    // Other kinds of messages are ignored: a later version may send them.
  }
}

function tellAll(keys: readonly string[] | undefined, change: JobChange, news: JobNews): void {
  if (keys === undefined) news.tellUnknown();
  else for (const key of keys) news.tell(`${jobUrnPrefix}${key}`, change);
}

/** Reads the list in a message; undefined when any job or tool may be meant. */
function readList(text: string): readonly string[] | undefined {
  if (text === anyOfThem) return undefined;
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list.map(String) : undefined;
  } catch {
    // The text is not a list: any client of the database may write to the channel.
    return undefined;
  }
}
