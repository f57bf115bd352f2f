import {
  ended,
  isNewMessage,
  noSuchJob,
  writtenMessage,
  type MessageSender,
  type SentMessage,
} from "../../job/steps/message.ts";
import type { JobUrn } from "../../job/job.ts";
import type { Tool } from "../../service/tools/tool.ts";
import type { JobStore } from "../store/job-store.ts";

/** A message and the job that it is for. */
export interface Message extends SentMessage {
  readonly id: JobUrn;
}

/**
 * Sends a message to a job that waits for it, or will wait for it. A wait with a scope accepts the message from every
 * caller who has the scope; a wait without one accepts it only from the job's own caller. Returns false for a message
 * that was sent before.
 */
export async function sendMessage(
  store: JobStore,
  tools: ReadonlyMap<string, Tool>,
  { id, name, key, body, once }: Message,
  sender: MessageSender | undefined,
): Promise<boolean> {
  const record = await store.get(id);
  const tool = record === undefined ? undefined : tools.get(record.tool);
  const wait = tool?.definition.waits?.find((one) => one.name === name);
  const isOpen = sender === undefined || wait?.scope !== undefined || record?.owner === sender.owner;
  if (record === undefined || tool === undefined || !isOpen) throw noSuchJob();
  const written = writtenMessage(tool.definition, { name, key, body, once }, sender);
  if (record.outcome !== undefined) throw ended();
  return isNewMessage(await store.send(id, written));
}
