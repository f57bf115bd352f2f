import type { JsonObject } from "../../../contract/contract.ts";
import type { Job, JobOutcome, Submission } from "../../../job/job.ts";
import type { Tool } from "../../../service/tools/tool.ts";
import { Conversation } from "./conversation.ts";
import { forwardLog, forwardProgress } from "./forward-progress.ts";
import { isRecord } from "../port/message-shape.ts";
import type { McpInputRequired } from "../port/answers.ts";
import type { McpCallContext, McpStartContext } from "../port/port.ts";
import { callDigest, createStateCodec } from "./request-state.ts";
import type { RequestState } from "./request-state.ts";
import { WaitingCalls } from "./waiting-calls.ts";

export interface CallRunnerOptions {
  /** Starts a job. @throws ToolError when it cannot be taken */
  readonly start: (submission: Submission) => Job | Promise<Job>;
  /** Signs what clients keep between a question and its answer. */
  readonly stateKey?: string | undefined;
}

/** Where a call has come to. */
export type CallState =
  | { readonly kind: "ended"; readonly job: Job; readonly outcome: JobOutcome }
  | { readonly kind: "asks"; readonly answer: McpInputRequired }
  /** The caller waits no longer; the job goes on. */
  | { readonly kind: "goes-on"; readonly job: Job; readonly conversation: Conversation };

/** A job and the client that it can ask. */
export interface RunningCall {
  readonly job: Job;
  readonly conversation: Conversation;
}

/** Runs functions of the service as jobs, over as many rounds of questions as they need. */
export interface CallRunner {
  /**
   * Starts a job, or finds the one that the call goes on with.
   *
   * @throws McpFault for a bad `requestState`
   * @throws ToolError when the job cannot start
   */
  begin(tool: Tool, args: JsonObject, context: McpStartContext): RunningCall | Promise<RunningCall>;
  /** Waits: for the job's end, for its next question, or for `patience` milliseconds. A client that cancels ends the job. */
  wait(call: RunningCall, args: JsonObject, context: McpCallContext, patience?: number): Promise<CallState>;
  /** Both. */
  run(tool: Tool, args: JsonObject, context: McpCallContext, patience?: number): Promise<CallState>;
}

export function createCallRunner(options: CallRunnerOptions): CallRunner {
  const waiting = new WaitingCalls();
  let codec: ReturnType<typeof createStateCodec> | undefined;
  const states = (): NonNullable<typeof codec> => (codec ??= createStateCodec(options.stateKey));

  /** A later round of a call, or one whose questions are answered before they are asked. */
  const takeUp = (tool: Tool, args: JsonObject, context: McpStartContext): RunningCall | Conversation => {
    const { requestState, inputResponses, capabilities = {} } = context;
    const state: RequestState | undefined =
      requestState === undefined ? undefined : states().open(String(requestState), digestOf(tool, args, context));
    const known = state === undefined ? undefined : waiting.take(state.job, capabilities);
    if (known !== undefined) {
      known.conversation.deliver(inputResponses);
      return known;
    }
    const given = isRecord(inputResponses)
      ? Object.entries(inputResponses).filter(([, answer]) => isRecord(answer))
      : [];
    const answers = { ...state?.answers, ...(Object.fromEntries(given) as Record<string, JsonObject>) };
    return new Conversation(capabilities, { answers, asked: state?.asked });
  };

  const runner: CallRunner = {
    begin(tool, args, context) {
      const isFirst = context.requestState === undefined && context.inputResponses === undefined;
      const conversation = isFirst
        ? new Conversation(context.capabilities ?? noCapabilities)
        : takeUp(tool, args, context);
      if (!(conversation instanceof Conversation)) return conversation;
      const job = options.start(submission(tool, args, context, conversation));
      return job instanceof Promise ? job.then((started) => ({ job: started, conversation })) : { job, conversation };
    },
    async wait({ job, conversation }, args, context, patience) {
      const end = await follow(job, conversation, context, patience);
      if (end !== "asks") return end;
      const requestState = states().seal({
        call: digestOf(job.tool, args, context),
        job: job.id,
        answers: conversation.answers,
        asked: conversation.asked,
      });
      const answer = { inputRequests: conversation.requests ?? {}, requestState };
      waiting.add({ job, conversation });
      return { kind: "asks", answer };
    },
    run: async (tool, args, context, patience) =>
      runner.wait(await runner.begin(tool, args, context), args, context, patience),
  };
  return runner;
}

const noCapabilities: JsonObject = {};

/** Waits without a limit of its own; the author may have set a `@timeout`. */
async function follow(
  job: Job,
  conversation: Conversation,
  context: McpCallContext,
  patience: number | undefined,
): Promise<CallState | "asks"> {
  if (job.outcome !== undefined && context.notifyProgress === undefined && context.log === undefined)
    return { kind: "ended", job, outcome: job.outcome };
  const cancel = (): void => job.cancel("The client cancelled the call.");
  if (context.signal.aborted) cancel();
  else context.signal.addEventListener("abort", cancel, { once: true });
  const finishProgress =
    context.notifyProgress === undefined
      ? context.log && forwardLog(job, context.log)
      : forwardProgress(job, context.notifyProgress);
  let timer: NodeJS.Timeout | undefined;
  const events: Promise<unknown>[] = [job.done];
  if (patience !== undefined)
    events.push(new Promise((resolve) => (timer = setTimeout(() => resolve("impatient"), patience))));
  try {
    for (;;) {
      const event = await Promise.race([...events, conversation.nextQuestion()]);
      if (job.outcome !== undefined) return { kind: "ended", job, outcome: job.outcome };
      if (event === "asked" && conversation.requests !== undefined) return "asks";
      if (event === "impatient") return { kind: "goes-on", job, conversation };
    }
  } finally {
    clearTimeout(timer);
    await finishProgress?.();
    context.signal.removeEventListener("abort", cancel);
  }
}

function submission(tool: Tool, input: JsonObject, context: McpStartContext, client: Conversation): Submission {
  const { authorization, owner, caller, traceparent, tracestate } = context;
  return { tool, input, client, authorization, owner, caller, traceparent, tracestate };
}

function digestOf({ definition, name }: Tool, args: JsonObject, { owner }: McpStartContext): string {
  return callDigest(definition.kind ?? "tool", name, args, owner);
}
