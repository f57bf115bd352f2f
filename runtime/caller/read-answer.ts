import type { Problem } from "../contract/contract.ts";
import type { ErrorKind } from "../contract/error-kind.ts";
import { CallError } from "./call-error.ts";
import type { WireResult } from "./transport.ts";

const problemUrn = "urn:platform:problem:";

/** The result that a route has answered. Rejects with the problem that it tells. */
export async function readResult(response: Response): Promise<WireResult> {
  if (!response.ok) throw await readProblem(response);
  const type = response.headers.get("content-type") ?? "";
  if (type.startsWith("application/json")) return { kind: "json", value: await response.json() };
  if (type.startsWith("text/plain")) return { kind: "text", text: await response.text() };
  return { kind: "blob", blob: await response.blob() };
}

/** The error of an answer that is not a result. */
export async function readProblem(response: Response): Promise<CallError> {
  const { status, headers, url } = response;
  const text = await response.text();
  const seconds = Number(headers.get("retry-after") ?? NaN);
  const facts = {
    status,
    jobId: headers.get("job-id") ?? undefined,
    retryAfter: Number.isFinite(seconds) ? seconds : undefined,
  };
  const body = parsed(text);
  const { type } = body;
  if (typeof type !== "string" || !type.startsWith(problemUrn)) {
    const what = headers.get("content-type") ?? "no content type";
    const message = `${url} answered ${status} with ${what}, which is not an answer of a tenon service.`;
    return new CallError("unexpected", message, facts);
  }
  const problems = Array.isArray(body["errors"]) ? (body["errors"] as readonly Problem[]) : [];
  const message = withProblems(String(body["detail"] ?? body["title"] ?? status), problems);
  return new CallError(type.slice(problemUrn.length) as ErrorKind, message, { ...facts, problems });
}

/** The text for a refused request: a line for each mistake below the first. */
export function withProblems(told: string, problems: readonly Problem[]): string {
  return [told, ...problems.map(({ path, message }) => `  ${path === "" ? "(request)" : path}: ${message}`)].join("\n");
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text)) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}
