interface User {
  /** As written. @minLength 1 */
  name: string;
  born?: Date;
  /** @minLength 8 */
  password: string;
}
type PublicUser = Omit<User, "password">;
const make = (name: string, age?: number): { label: string } => ({ label: `${name} ${age}` });

/** @schema urn:example:schema.utility-types.1 */
export interface Request {
  partial: Partial<User>;
  required: Required<User>;
  picked: Pick<User, "name" | "born">;
  omitted: Omit<User, "password">;
  frozen: Readonly<User>;
  named: PublicUser;
  extracted: Extract<string | number | Date, Date | number>;
  definitely: NonNullable<string | null>;
  returned: ReturnType<typeof make>;
  parameters: Parameters<typeof make>;
  awaited: Awaited<Promise<string>>;
  field: User["born"];
}

/**
 * Takes utility types.
 * @tool
 */
export function take(request: Request): void {
  void request;
}
