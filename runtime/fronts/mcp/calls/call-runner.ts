import type { JsonObject } from "../../../contract/contract.ts";
import type { Job, JobOutcome, Submission } from "../../../job/job.ts";
import type { Tool } from "../../../service/tools/tool.ts";
import { Conversation } from "../../../job/conversation.ts";
import { forwardEvents } from "./forward-events.ts";
import { isObject } from "../../../contract/validation/json-value.ts";
import type { McpInputRequired } from "../port/answers.ts";
import type { CancelCall, McpStartContext } from "../port/port.ts";
import { callDigest, createStateCodec, type RequestState } from "./request-state.ts";
import { WaitingCalls } from "./waiting-calls.ts";

export interface CallRunnerOptions {
  /** Starts a job. @throws ToolError when it is refused */
  readonly start: (submission: Submission) => Job | Promise<Job>;
  /** Key that signs the state which clients keep between a question and its answer. */
  readonly stateKey?: string | undefined;
}

/** State of a call that its client is notified of. */
export type CallState =
  | { readonly kind: "ended"; readonly job: Job; readonly outcome: JobOutcome }
  | { readonly kind: "asks"; readonly answer: McpInputRequired }
  /** State in which the caller does not wait any longer, while the job continues. */
  | { readonly kind: "goes-on"; readonly job: Job }
  /** State without a job: `thrown` is an `McpFault` for a bad `requestState`, else the executor's error. */
  | { readonly kind: "refused"; readonly thrown: unknown };

/**
 * Runs a function of the service as a job, over any number of rounds of questions. Calls `done` once: when the job has
 * ended, when it asks a question, or after `patience` milliseconds. For a synchronous function `done` is called before
 * this returns. Returns a function that cancels the job if `done` has not been called.
 */
export type RunCall = (
  tool: Tool,
  args: JsonObject,
  context: McpStartContext,
  patience: number | undefined,
  done: (state: CallState) => void,
) => CancelCall;

/** A running job and the client that it can ask. */
interface RunningCall {
  readonly job: Job;
  readonly conversation: Conversation;
}

/** Creates the function that runs all calls of a service, with their questions. */
export function createCallRunner(options: CallRunnerOptions): RunCall {
  const waiting = new WaitingCalls();
  let codec: ReturnType<typeof createStateCodec> | undefined;
  const states = (): NonNullable<typeof codec> => (codec ??= createStateCodec(options.stateKey));

  /** Resumes the job in a later round, or starts it with the answers that were already given. */
  const takeUp = (tool: Tool, args: JsonObject, context: McpStartContext): RunningCall | Conversation => {
    const { requestState, inputResponses, capabilities = noCapabilities } = context;
    const state: RequestState | undefined =
      requestState === undefined ? undefined : states().open(String(requestState), digestOf(tool, args, context));
    const known = state === undefined ? undefined : waiting.take(state.job, capabilities);
    if (known !== undefined) {
      known.conversation.deliver(inputResponses);
      return known;
    }
    const given = isObject(inputResponses)
      ? Object.entries(inputResponses).filter(([, answer]) => isObject(answer))
      : [];
    const answers = { ...state?.answers, ...(Object.fromEntries(given) as Record<string, JsonObject>) };
    return new Conversation(capabilities, { answers, asked: state?.asked });
  };

  const begin = (tool: Tool, args: JsonObject, context: McpStartContext): RunningCall | Promise<RunningCall> => {
    const isFirst = context.requestState === undefined && context.inputResponses === undefined;
    const conversation = isFirst
      ? new Conversation(context.capabilities ?? noCapabilities)
      : takeUp(tool, args, context);
    if (!(conversation instanceof Conversation)) return conversation;
    const job = options.start(submission(tool, args, context, conversation));
    return job instanceof Promise ? job.then((started) => ({ job: started, conversation })) : { job, conversation };
  };

  /** Leaves a job waiting for the answers to its questions. */
  const leave = ({ job, conversation }: RunningCall, args: JsonObject, context: McpStartContext): McpInputRequired => {
    const requestState = states().seal({
      call: digestOf(job.tool, args, context),
      job: job.id,
      answers: conversation.answers,
      asked: conversation.asked,
    });
    const answer = { inputRequests: conversation.requests ?? {}, requestState };
    waiting.add({ job, conversation });
    return answer;
  };

  const attend = (
    call: RunningCall,
    args: JsonObject,
    context: McpStartContext,
    patience: number | undefined,
    done: (state: CallState) => void,
  ): CancelCall => {
    const { job, conversation } = call;
    const isFollowed = context.notifyProgress !== undefined || context.log !== undefined;
    const stopForwarding = isFollowed ? forwardEvents(job, context) : undefined;
    if (job.outcome !== undefined) {
      done({ kind: "ended", job, outcome: job.outcome });
      return nothing;
    }
    let timer: NodeJS.Timeout | undefined;
    let isTold = false;
    const tell = (state: CallState): void => {
      isTold = true;
      clearTimeout(timer);
      stopForwarding?.();
      done(state);
    };
    job.onEnd((outcome) => {
      if (!isTold) tell({ kind: "ended", job, outcome });
    });
    conversation.onQuestion(() => {
      // The question is sent at the end of the turn of the event loop, since parallel branches of a tool may ask
      // questions too.
      setImmediate(() => {
        if (!isTold && conversation.asks) tell({ kind: "asks", answer: leave(call, args, context) });
      });
    });
    if (patience !== undefined) timer = setTimeout(() => isTold || tell({ kind: "goes-on", job }), patience);
    return (hasLeft) => {
      if (!isTold && !(hasLeft === true && job.tool.definition.keep === true))
        job.cancel("The client cancelled the call.");
    };
  };

  return (tool, args, context, patience, done) => {
    let call: RunningCall | Promise<RunningCall>;
    try {
      call = begin(tool, args, context);
    } catch (thrown) {
      done({ kind: "refused", thrown });
      return nothing;
    }
    if (!(call instanceof Promise)) return attend(call, args, context, patience, done);
    let cancelled: Parameters<CancelCall> | undefined;
    let cancel: CancelCall = (...how) => void (cancelled = how);
    call.then(
      (begun) => {
        cancel = attend(begun, args, context, patience, done);
        if (cancelled !== undefined) cancel(...cancelled);
      },
      (thrown: unknown) => done({ kind: "refused", thrown }),
    );
    return (hasLeft) => cancel(hasLeft);
  };
}

const noCapabilities: JsonObject = {};

function nothing(): void {}

function submission(tool: Tool, input: JsonObject, context: McpStartContext, client: Conversation): Submission {
  const { authorization, owner, caller, traceparent, tracestate, baggage } = context;
  return { tool, input, client, authorization, owner, caller, traceparent, tracestate, baggage };
}

function digestOf({ definition, name }: Tool, args: JsonObject, { owner }: McpStartContext): string {
  return callDigest(definition.kind ?? "tool", name, args, owner);
}
