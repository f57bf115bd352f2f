import { ToolError } from "../../../runtime/base/errors.ts";
import { parseJsonBody } from "../../../runtime/fronts/http/parse-json.ts";

/**
 * A request as the store keeps it: the text as it came, which is checked once and never parsed again. `text` is JSON
 * text for JSON, plain text for text, base64 for anything else.
 */
export interface JobContent {
  readonly type: string;
  readonly text: string;
  /** Path of the tool that the job is for, where a service is called over REST. */
  readonly path?: string;
  /** The job that asked for this one. */
  readonly parent?: string;
}

const defaultType = "application/json";
const jsonType = /^application\/(?:[\w.!#$&^+-]+\+)?json\s*(?:;|$)/i;

/** The content of a new job. Throws `malformed-json` or `bad-request`. */
export function readContent(contentType: string | undefined, body: Buffer): Pick<JobContent, "type" | "text"> {
  const type = contentType ?? defaultType;
  if (isJson(type)) {
    parseJsonBody(body);
    return { type, text: body.toString() };
  }
  return { type, text: type.startsWith("text/") ? body.toString() : body.toString("base64") };
}

/** The answer to `GET next_job`. */
export function envelopeOf(id: string, content: JobContent): string {
  return `{"id":${JSON.stringify(id)},"in-content-type":${JSON.stringify(content.type)},"in-content":${asJson(content)}}`;
}

/** The content as JSON text: itself, or a string. */
export function asJson({ type, text }: JobContent): string {
  return isJson(type) ? text : JSON.stringify(text);
}

/** The bytes that were handed in. */
export function asBytes({ type, text }: JobContent): Buffer {
  return Buffer.from(text, isJson(type) || type.startsWith("text/") ? "utf8" : "base64");
}

/** What a store gave back as a job's input. Throws when it is of another program. */
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
