export interface Request {
  /** The name. */
  name: string;
}

/** What comes back. */
export type Result = { label: string };

/** Labels. @tool */
export async function label(request: Request): Promise<Result> {
  return { label: request.name };
}

/** Takes an anonymous object. @tool */
export function anonymous(request: { /** The name. */ name: string }): Partial<Result> {
  return { label: request.name };
}
