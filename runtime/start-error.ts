/** Why a service cannot start, in one line for the person who starts it. Never shown with a stack trace. */
export class StartError extends Error {
  override readonly name: string = "StartError";
  readonly exitCode: number;

  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** A mistake on the command line; exit code 2. */
export class UsageError extends StartError {
  override readonly name: string = "UsageError";

  constructor(message: string) {
    super(`${message} Try --help.`, 2);
  }
}
