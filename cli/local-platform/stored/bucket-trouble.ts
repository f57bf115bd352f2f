import { ToolError } from "../../../runtime/base/errors.ts";
import { connectionCodes } from "../../../runtime/executor/store/open-when-up.ts";

const keys = "Check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.";
const renew = "The keys have run out: renew AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN.";
const rights = "The key needs the rights to list the bucket, and to read, write and delete its objects.";
const place = "The bucket is somewhere else: check AWS_REGION and AWS_ENDPOINT_URL_S3.";

/** Advice for the operator, by the code of an answer, or else by its status. */
const advice: Readonly<Record<string, string>> = {
  RequestTimeTooSkewed: "Set the clock of this machine.",
  InvalidAccessKeyId: keys,
  SignatureDoesNotMatch: keys,
  ExpiredToken: renew,
  InvalidToken: renew,
  AccessDenied: rights,
  AuthorizationHeaderMalformed: place,
  301: place,
  302: place,
  307: place,
  308: place,
  401: keys,
  403: `${keys} ${rights}`,
};

/** An answer by which a bucket refuses a request. */
export class Refusal extends Error {
  readonly status: number;

  constructor(method: string, status: number, code?: string, region?: string) {
    const help = advice[code ?? ""] ?? advice[status];
    const where = region === undefined ? "" : ` It names the region ${region}.`;
    const text = `it answers ${method} with ${status}${code === undefined ? "" : ` ${code}`}.`;
    super(help === undefined ? text : `${text} ${help}${help === place ? where : ""}`);
    this.status = status;
  }
}

/** True for an answer that says that the server fails, and where no server answers. */
export function isDown(cause: unknown): boolean {
  if (cause instanceof Refusal) return cause.status >= 500 || cause.status === 429;
  return cause instanceof Error && "code" in cause && connectionCodes.includes(String(cause.code));
}

/** Node reports a failure at several addresses of one host as one error without a message. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  const text = error instanceof Error ? error.message : String(error);
  return text.endsWith(".") ? text : `${text}.`;
}

/** Reports why requests of a kind fail: once, until the reason changes or such a request succeeds. */
export class BucketTrouble {
  readonly #name: string;
  readonly #warn: (line: string) => void;
  /** Reasons by the kind of request. */
  readonly #reasons = new Map<string, string>();

  constructor(name: string, warn: (line: string) => void) {
    this.#name = name;
    this.#warn = warn;
  }

  /** Reports a failure. Returns the error for the caller, who sees neither the bucket nor the reason. */
  failed(kind: string, cause: unknown): ToolError {
    const reason = reasonOf(cause);
    if (this.#reasons.get(kind) !== reason) this.#warn(`Artifacts cannot be ${kind}. ${this.#name}: ${reason}`);
    this.#reasons.set(kind, reason);
    const isFinal = cause instanceof Refusal && !isDown(cause);
    const text = isFinal
      ? "The platform cannot use its storage of artifacts. Its log has the reason."
      : "The artifacts of the platform cannot be reached. Try again later.";
    return new ToolError("unavailable", text, { retryAfter: 5, cause });
  }

  worked(kind: string): void {
    if (this.#reasons.delete(kind)) this.#warn(`Artifacts can be ${kind} again. ${this.#name} answers.`);
  }
}
