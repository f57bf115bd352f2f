/** @schema urn:example:schema.greet.request.1 */
export interface GreetRequest {
  /** Name of the person */
  name: string;
}

/**
 * Greets a person.
 * @tool
 * @title Greet
 * @readonly
 * @idempotent
 */
export function greet({ name }: GreetRequest): string {
  return `Hello, ${name}!`;
}
