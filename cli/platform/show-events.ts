import { describeEvent } from "../call/describe-event.ts";
import { paint, type Style } from "../base/output.ts";

/** An event of the platform's streams. */
export interface StreamEvent {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** Id of the job; set only in the stream of all jobs. */
  readonly "job-urn"?: string;
  readonly service?: string;
}

const endStyles: Readonly<Record<string, Style>> = {
  succeeded: "green",
  failed: "yellow",
  error: "red",
  cancelled: "yellow",
};

/**
 * Describes an event in one line for people; undefined for an event that is not of interest. `took` is the duration of
 * a job that has ended.
 */
export function describeNews({ type, data }: StreamEvent, took?: string): string | undefined {
  if (type === "platform.job.event") return paint("dim", plain(describeEvent(data)));
  if (type !== "platform.job.status") return undefined;
  const status = plain(String(data["status"]));
  const attempt = Number(data["attempt"] ?? 1);
  const again = attempt > 1 ? `, attempt ${attempt}` : "";
  const message = data["error-message"] === undefined ? "" : `: ${plain(String(data["error-message"]))}`;
  const style = endStyles[status];
  if (style === undefined) return paint("dim", status + again);
  const time = took === undefined || took === "" ? "" : paint("dim", ` in ${took}`);
  return paint(style, status) + time + message;
}

/** Lists the problems of an invalid request, which the error of its job contains, one line each. */
export function describeProblems(error: unknown): readonly string[] {
  const { errors } = (error ?? {}) as { readonly errors?: unknown };
  if (!Array.isArray(errors)) return [];
  return (errors as readonly Readonly<Record<string, unknown>>[]).map(
    ({ path, message }) => `  ${plain(String(path ?? "")) || "(request)"}: ${plain(String(message))}`,
  );
}

/** The last letters of an id, which distinguish jobs on a terminal. */
export function shortId(id: string): string {
  return id.slice(-8);
}

/** Escapes texts of jobs, which must not control the terminal, or break the line. */
function plain(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, " ").slice(0, 500);
}
