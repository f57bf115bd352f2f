/** Explains in one line why a service cannot start. Never shown with a stack trace. */
export class StartError extends Error {
  override readonly name: string = "StartError";
  readonly exitCode: number;

  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/**
 * Error for a variable that is not an http or https URL. A value with an at sign may hold a password and is not shown.
 */
export function notUrlError(variable: string, value: string): StartError {
  const shown = value.includes("@") ? "" : ` is ${JSON.stringify(value)}; it`;
  return new StartError(`${variable}${shown} must be an http or https URL.`);
}

/** A mistake on the command line; exit code 2. */
export class UsageError extends StartError {
  override readonly name: string = "UsageError";

  constructor(message: string) {
    super(`${message} Try --help.`, 2);
  }
}
