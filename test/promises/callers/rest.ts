import { randomUUID } from "node:crypto";
import { readResult } from "../../../runtime/client/rest/read-answer.ts";
import { serverSentEvents } from "../../../runtime/contract/event-stream.ts";
import { calledBy, type Called, type Caller, type PreparedCall } from "./caller.ts";

/** Calls over REST. @param url Address of the service, with the path that it is mounted under */
export function restCaller(url: string): Caller {
  return { call: (call) => callRest(url, call), close: async () => {} };
}

async function callRest(url: string, call: PreparedCall): Promise<Called> {
  const { call: tool, request = {}, token, key, traceparent, how = "waits", running } = call;
  const bearer = token === undefined ? {} : { authorization: `Bearer ${token}` };
  // Without a name the job ends with its caller.
  const name = how === "leaves" ? {} : key === undefined ? { "job-id": randomUUID() } : { "idempotency-key": key };
  const isLater = how === "later" || how === "cancels";
  const leaving = new AbortController();
  const answering = fetch(`${url}/tool/${tool}`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      prefer: isLater ? "respond-async" : "wait=60",
      ...bearer,
      ...name,
      ...(traceparent !== undefined && { traceparent }),
    },
    body: JSON.stringify(request),
    signal: leaving.signal,
  });
  if (how === "leaves") {
    answering.catch(() => {});
    await running();
    leaving.abort();
    return {};
  }
  if (how === "runs") {
    answering.catch(() => {});
    await running();
    return {};
  }
  let answer = await answering;
  const jobId = answer.headers.get("job-id") ?? undefined;
  if (isLater) {
    if (answer.status !== 202) throw new Error(`the answer is ${answer.status}, not 202: ${await answer.text()}`);
    const job = new URL(answer.headers.get("location") ?? "", url);
    if (how === "cancels") {
      await running();
      await fetch(job, { method: "DELETE", headers: bearer });
    }
    answer = await fetch(job, { headers: { ...bearer, prefer: "wait=60" } });
  }
  const { status } = answer;
  const headers = Object.fromEntries(answer.headers);
  const called = await calledBy(() => readResult(answer, { kind: kindOf(answer) }));
  const events = call.out?.events === undefined ? undefined : await eventsOf(`${url}/jobs/${jobId}`, bearer);
  return { status, headers, jobId, events, ...called };
}

/** Kind of a result, which a caller without a definition sees by its type only. */
function kindOf({ headers }: Response): "json" | "text" | "binary" {
  const type = headers.get("content-type") ?? "";
  return type.startsWith("application/json") ? "json" : type.startsWith("text/plain") ? "text" : "binary";
}

async function eventsOf(job: string, headers: Readonly<Record<string, string>>): Promise<readonly unknown[]> {
  const { body } = await fetch(`${job}/events`, { headers });
  const events: unknown[] = [];
  if (body === null) return events;
  for await (const { data } of serverSentEvents(body)) {
    const envelope = JSON.parse(data) as { readonly type: string; readonly data: unknown };
    if (envelope.type === "platform.job.event") events.push(envelope.data);
  }
  return events;
}
