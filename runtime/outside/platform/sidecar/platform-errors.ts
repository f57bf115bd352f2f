/** A failed operation of the platform client. Its text is for the log and the author; callers never see it. */
export class PlatformError extends Error {
  override readonly name: string = "PlatformError";
  /** The attempted operation, for example `get artifact urn:platform:artifact:1`. */
  readonly operation: string;
  /** Status of the platform's answer; undefined when there was none. */
  readonly status: number | undefined;

  constructor(
    operation: string,
    problem: string,
    options: { readonly status?: number; readonly cause?: unknown } = {},
  ) {
    super(`Cannot ${operation}: ${problem}`, options.cause === undefined ? undefined : { cause: options.cause });
    this.operation = operation;
    this.status = options.status;
  }
}

/** The artifact, aspect or service does not exist, or this job may not see it. */
export class ResourceNotFoundError extends PlatformError {
  override readonly name: string = "ResourceNotFoundError";
}

/** A name that should be unique belongs to several entities. Use the URN instead. */
export class AmbiguousRequestError extends PlatformError {
  override readonly name: string = "AmbiguousRequestError";
  /** URNs of all matches. */
  readonly candidates: readonly string[];

  constructor(operation: string, problem: string, candidates: readonly string[]) {
    super(operation, problem);
    this.candidates = candidates;
  }
}

/** The job's token is missing, expired, or does not allow the operation. */
export class NotAuthorizedError extends PlatformError {
  override readonly name: string = "NotAuthorizedError";
}

/** The received content has another digest or size than the platform's record. */
export class ArtifactIntegrityError extends PlatformError {
  override readonly name: string = "ArtifactIntegrityError";
}

/** The job of another service ended without a result, or did not end in time. */
export class ServiceJobError extends PlatformError {
  override readonly name: string = "ServiceJobError";
}

/** The error for an unsuccessful status. `said` is the platform's own message. */
export function errorOfStatus(operation: string, status: number, said: string | undefined): PlatformError {
  const tail = said === undefined ? "" : ` It says: ${said}`;
  const options = { status };
  switch (status) {
    case 401:
    case 403:
      return new NotAuthorizedError(
        operation,
        `the platform answered ${status}. The job's token does not allow it; check the policy of the resource.${tail}`,
        options,
      );
    case 404:
      return new ResourceNotFoundError(
        operation,
        `the platform does not know it. Check the URN, and that its policy lets this job see it.${tail}`,
        options,
      );
    case 409:
    case 410:
      return new PlatformError(
        operation,
        `the platform answered ${status}: it conflicts with a newer state, or this attempt no longer holds the job.${tail}`,
        options,
      );
    default:
      if (status >= 300 && status < 400) {
        const problem = `the platform answered with a redirect (${status}), which is never followed. Check PLATFORM_BASE_URL.`;
        return new PlatformError(operation, problem, options);
      }
      return new PlatformError(operation, `the platform answered ${status}.${tail}`, options);
  }
}
