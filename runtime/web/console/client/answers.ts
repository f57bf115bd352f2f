import { bareId } from "../base/ids.ts";
import type { Answer, Call, Started } from "./backend.ts";
import type { Client } from "./client.ts";

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
