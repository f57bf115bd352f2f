import { bareId } from "../base/ids.ts";
import type { Client } from "./client.ts";
import type { ServiceInfo, ToolInfo } from "./definition.ts";

/** A call of a tool. */
export interface Call {
  readonly service: ServiceInfo;
  readonly tool: ToolInfo;
  /** Request as JSON text. */
  readonly body: string;
  /** Bare id of the job. The page makes the id, so that it can follow the job from its start. */
  readonly jobId: string;
  readonly traceparent: string;
}

/** A call that was sent. */
export interface Started {
  /** Bare id of its job, which may be that of an earlier call: a call with `@debounce` joins it. */
  readonly jobId: string;
  /** Set if the job has ended, or the call was refused. */
  readonly answer?: Answer;
}

/** An answer with its body. */
export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Blob;
  /** The body, if its type is textual; undefined for other types, and for a body that is too long to be shown. */
  readonly text: string | undefined;
  /** Text of what author code threw, which callers do not get; only in `tenon dev`. */
  readonly cause?: string | undefined;
}

/** Maximum bytes of a body that is shown as text: no result of JSON or text has more. */
const longestText = 7_000_000;

/** Sends a call to its path. */
export async function startAt(client: Client, path: string, { body, jobId, traceparent }: Call): Promise<Started> {
  const response = await client.send(path, {
    method: "POST",
    headers: { "content-type": "application/json", "job-id": jobId, prefer: "respond-async", traceparent },
    body,
  });
  const { headers, status } = response;
  const joined = bareId(headers.get("job-id") ?? headers.get("platform-job-id") ?? jobId);
  if (status !== 202 && status !== 204) return { jobId: joined, answer: await readAnswer(response) };
  await response.body?.cancel();
  return { jobId: joined };
}

/** Reads an answer to its end. */
export async function readAnswer(response: Response): Promise<Answer> {
  const body = await response.blob();
  const type = response.headers.get("content-type") ?? "";
  const isText = /^text\/|json|xml|^application\/vnd\.platform\.|^$/.test(type) && body.size <= longestText;
  return {
    status: response.status,
    type,
    headers: [...response.headers],
    body,
    text: isText ? await body.text() : undefined,
  };
}
