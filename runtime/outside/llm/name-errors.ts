import type { ModelCall } from "../../job/job-span.ts";
import { logState } from "../../telemetry/log/log-state.ts";

/** Observer of a request. `arrived` is undefined without telemetry. */
export type RequestObserver = Omit<ModelCall, "arrived"> & { readonly arrived: (() => void) | undefined };

const opening = "The request to the language model";
/** Maximum characters of a model's name in an error. */
const longestName = 100;
/** Maximum number of causes that are searched for the reason of an error. */
const mostCauses = 8;

/**
 * Adds model and server to the errors of a request, since a tool may use several and the client's texts name neither.
 *
 * @param origin Without user information, which may be a password.
 * @param call Telemetry of the request.
 * @param isAbort True for an error that says that the job has ended or the author has aborted the request.
 */
export function nameErrors(
  origin: string,
  call: ModelCall | undefined,
  isAbort: (error: Error) => boolean,
): RequestObserver {
  let model = "";
  return {
    run: (callback) => (call === undefined ? callback() : call.run(callback)),
    asked(body) {
      const given = typeof body === "object" && body !== null && "model" in body ? body.model : undefined;
      if (typeof given === "string") model = ` ${given.slice(0, longestName)}`;
      call?.asked(body);
    },
    arrived: call && (() => call.arrived()),
    piece: (piece) => call?.piece(piece),
    answered: (answer) => call?.answered(answer),
    failed(error) {
      call?.failed(error);
      if (error instanceof Error && !isAbort(error)) nameError(error, `${opening}${model} at ${origin} failed`);
    },
  };
}

/** Changes the error in place: authors tell errors apart by the client's classes and their fields. */
function nameError(error: Error, sentence: string): void {
  const { message, stack } = error;
  if (message.startsWith(opening)) return;
  const named = `${sentence}: ${withReason(error)}`;
  set(error, "message", named);
  if (message !== "" && typeof stack === "string")
    set(
      error,
      "stack",
      stack.replace(message, () => named),
    );
}

/** Returns the message, with that of the innermost cause: the client's own is only "Connection error." */
function withReason(error: Error): string {
  const { message } = error;
  let inner: unknown = error;
  for (let depth = 0; depth < mostCauses && inner instanceof Error && inner.cause !== undefined; depth++)
    inner = inner.cause;
  if (!(inner instanceof Error)) return message;
  // The reason may be about an address with a password in it.
  const clean = (text: string): string => logState().redactor.text(text);
  const reason = clean(inner.message || String((inner as NodeJS.ErrnoException).code ?? ""));
  return clean(message).includes(reason) ? message : `${message.replace(/\.$/, "")}: ${reason}`;
}

/** Sets a hidden field, also of an error whose class has a getter for it. */
function set(error: Error, name: "message" | "stack", value: string): void {
  Reflect.defineProperty(error, name, { value, writable: true, configurable: true });
}
