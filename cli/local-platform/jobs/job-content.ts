import { ToolError } from "../../../runtime/base/errors.ts";
import { parseJsonBody } from "../../../runtime/fronts/http/parse-json.ts";

/**
 * A stored request: the original text, which is validated once and never parsed again. `text` is JSON text for JSON,
 * plain text for text, base64 for anything else.
 */
export interface JobContent {
  readonly type: string;
  readonly text: string;
  /** Path of the job's tool, for a service that is called over REST. */
  readonly path?: string;
  /** The job that submitted this one. */
  readonly parent?: string;
}

const defaultType = "application/json";
const jsonType = /^application\/(?:[\w.!#$&^+-]+\+)?json\s*(?:;|$)/i;

/** Reads the content of a new job. Throws `malformed-json` or `bad-request`. */
export function readContent(contentType: string | undefined, body: Buffer): Pick<JobContent, "type" | "text"> {
  const type = contentType ?? defaultType;
  if (isJson(type)) {
    parseJsonBody(body);
    return { type, text: body.toString() };
  }
  return { type, text: type.startsWith("text/") ? body.toString() : body.toString("base64") };
}

/** The body of an answer to `GET next_job`. */
export function envelopeOf(id: string, content: JobContent): string {
  return `{"id":${JSON.stringify(id)},"in-content-type":${JSON.stringify(content.type)},"in-content":${asJson(content)}}`;
}

/** Returns the content as JSON text: JSON unchanged, plain text as a JSON string. */
export function asJson({ type, text }: JobContent): string {
  return isJson(type) ? text : JSON.stringify(text);
}

/** Returns the text of JSON content; undefined for any other content. */
export function jsonOf({ type, text }: Pick<JobContent, "type" | "text">): string | undefined {
  return isJson(type) ? text : undefined;
}

/** Returns the submitted bytes. */
export function asBytes({ type, text }: JobContent): Buffer {
  return Buffer.from(text, isJson(type) || type.startsWith("text/") ? "utf8" : "base64");
}

/** Reads a job's input from the store. Throws when another program has written it. */
export function contentOf(input: unknown): JobContent {
  const { type, text } = (input ?? {}) as Partial<JobContent>;
  if (typeof type !== "string" || typeof text !== "string") {
    throw new ToolError("system", "A job in the store has no content: the store was written by another program.");
  }
  return input as JobContent;
}

function isJson(type: string): boolean {
  return type === defaultType || jsonType.test(type);
}
