import { ToolError } from "../../base/errors.ts";
import type { WaitDefinition } from "../../contract/contract.ts";
import { reportProblems } from "../../contract/validation/report/report.ts";
import { isStepKey, maxStepBytes, stepKey, type NewMessage } from "./kept-step.ts";

/** A message to a job, as its sender writes it. */
export interface SentMessage {
  readonly name: string;
  /** The key of a wait in a loop. */
  readonly key?: string | undefined;
  /** Parsed JSON. */
  readonly body: unknown;
  /** The sender's key: a second message with the same key is ignored. */
  readonly once?: string | undefined;
}

/** The sender of a message; undefined if callers are not authenticated. */
export interface MessageSender {
  readonly owner: string;
  readonly subject?: string | undefined;
  /** Throws `insufficient-scope` unless the sender has all of these scopes. */
  require(scopes: readonly string[]): void;
}

/** The part of a tool's definition that messages need. */
export interface Receiver {
  readonly waits?: readonly WaitDefinition[] | undefined;
  readonly scopes?: readonly string[] | undefined;
}

/**
 * Validates a message, and converts it to the form that a store has.
 * @throws ToolError `not-found`, `bad-request`, `validation`, `too-large`, `insufficient-scope`
 */
export function writtenMessage(
  { waits, scopes }: Receiver,
  { name, key, body, once }: SentMessage,
  sender?: MessageSender,
): NewMessage {
  const wait = waits?.find((one) => one.name === name);
  if (scopes !== undefined && wait?.scope === undefined) sender?.require(scopes);
  if (wait === undefined) throw noSuchMessage(name, waits);
  if (wait.scope !== undefined) sender?.require([wait.scope]);
  if ((key !== undefined) !== (wait.keyed === true))
    throw new ToolError(
      "bad-request",
      wait.keyed === true ? `The message ${name} needs a key.` : `The message ${name} has no key.`,
    );
  checkMessageKey(key);
  const problems = wait.schema === undefined ? [] : reportProblems(wait.schema, body);
  if (problems.length > 0)
    throw new ToolError("validation", `The message ${name} does not match its schema.`, { problems });
  const text = JSON.stringify(body) ?? "null";
  if (Buffer.byteLength(text) > maxStepBytes)
    throw new ToolError("too-large", `A message has at most ${maxStepBytes} bytes. Send a link to more.`);
  return {
    name: stepKey(name, key),
    body: text,
    ...(once !== undefined && { once: `${sender?.owner ?? ""}\n${once}` }),
    ...(sender?.subject !== undefined && { sender: sender.subject }),
  };
}

/** Throws `bad-request` for a key that no wait can have. */
export function checkMessageKey(key: string | undefined): void {
  if (key !== undefined && !isStepKey(key))
    throw new ToolError("bad-request", "The key of a message has 1 to 200 characters, and no control characters.");
}

/**
 * False for a message that was sent before.
 * @throws ToolError `gone`, `not-found`, or `too-large` if the job accepts no more messages
 */
export function isNewMessage(answer: "ok" | "known" | "ended" | "unknown" | "full"): boolean {
  if (answer === "ended") throw ended();
  if (answer === "unknown") throw noSuchJob();
  if (answer === "full") throw new ToolError("too-large", "The job takes no more messages.");
  return answer === "ok";
}

/** The error for a message to a job that has ended. */
export function ended(): ToolError {
  return new ToolError("gone", "The job has ended, and takes no more messages.");
}

/** The error for a message to a job that does not exist, or that its sender may not see. */
export function noSuchJob(): ToolError {
  return new ToolError("not-found", "The job does not exist, or has expired.");
}

function noSuchMessage(name: string, waits: readonly WaitDefinition[] = []): ToolError {
  const names = waits.map((wait) => wait.name).join(", ");
  const known = names === "" ? "It waits for no messages" : `It waits for: ${names}`;
  return new ToolError(
    "not-found",
    `The tool of the job does not wait for a message ${JSON.stringify(name.slice(0, 100))}. ${known}.`,
  );
}
