import type { VNode } from "preact";
import { bareId } from "../base/ids.ts";
import { textIn } from "../base/json.ts";
import { useLoaded } from "../base/use-loaded.ts";
import { messageOf } from "../client/client.ts";
import type { Answer } from "../client/calls.ts";
import { useSession } from "../client/session.ts";
import { Dim, Failure } from "../parts/notice.tsx";
import { Quiet } from "../parts/quiet-button.tsx";
import { problemsOf } from "./problems.ts";

/** Advice about errors whose kind says more than their status. */
const advices: Readonly<Record<string, string>> = {
  timeout: "Ask for less, or raise the limit in the comment of the tool's function, as in @timeout 60s.",
  cancelled: "Call again to start a new job.",
};

/** Advice about an error, by its kind and status. */
function adviceOf(kind: string | undefined, status: number, told: string): string | false {
  if (kind === "timeout" && told.startsWith("Step ")) return "Raise the timeout of the step where it is called.";
  if (kind !== undefined && Object.hasOwn(advices, kind)) return advices[kind] ?? false;
  if (status === 404 && told.startsWith("The job"))
    return "Ended jobs are kept for an hour, or the seconds in jobCacheTtl of the tool.";
  if (told.startsWith("The tool asks its user")) return "Call it in the MCP view, which asks you.";
  if (status === 400 || status === 422) return "Change the request and call again.";
  if (status === 429 || status === 503) return "Call again in a moment.";
  return status >= 500 && status !== 504 && "A fault of the service: its log has the cause.";
}

interface ErrorProps {
  readonly answer: Answer;
  readonly body: Readonly<Record<string, unknown>>;
  /** Moves the cursor to the field of a JSON Pointer; undefined if there is no form. */
  readonly jump?: ((pointer: string) => void) | undefined;
}

/**
 * Shows an error for people: its sentence, its problems by field, its kind, and what to do, or what its caller gets
 * instead of the sentence.
 */
export function ErrorView({ answer, body, jump }: ErrorProps): VNode {
  const { status, text = "", cause } = answer;
  const told = messageOf(text);
  const kind = textIn(body, "type")?.split(":").pop();
  const { backend } = useSession();
  const id = textIn(body, "job-id");
  // A job that was cancelled while it waited for a worker has done nothing.
  const { value: hasBegun } = useLoaded(async () => {
    const job = kind === "cancelled" && id !== undefined && (await backend.job(bareId(id)));
    return job !== undefined && job !== false && (job.startedAt ?? job.attempts[0]) !== undefined;
  }, [id]);
  return (
    <div class="problems">
      <Failure>{cause ?? told}</Failure>
      <ul>
        {[...problemsOf(answer)].map(([pointer, message]) => (
          <li>
            {jump === undefined ? (
              <code>{pointer}</code>
            ) : (
              <Quiet press={() => jump(pointer)}>{pointer || "request"}</Quiet>
            )}{" "}
            {message}
          </li>
        ))}
      </ul>
      <p>
        {kind !== undefined && <span class="badge">{kind}</span>}{" "}
        <Dim>
          {hasBegun === true && "What it did before is not undone. "}
          {cause ? told : adviceOf(kind, status, told ?? "")}
        </Dim>
      </p>
    </div>
  );
}
