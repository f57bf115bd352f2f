import type { People } from "../input/store.js";
import { Page, Role, type Person } from "./models.js";
import { createHash } from "node:crypto";
import type { WithSchema } from "tenon";

export type Change = Partial<Pick<Person, "email" | "role">>;

// Not carried over: give it a value, or import it.
declare const people: People;

// Not carried over: give it a value, or import it.
declare const missing: any;

// Not carried over: give it a value, or import it.
declare const salt: string;

function hidden(name: string): string {
  return createHash("sha256").update(`${salt}${name}`).digest("hex");
}

let calls = 0;

// Not carried over: give it a value, or import it.
declare const log: any;

// Not carried over: give it a value, or import it.
declare const self: any;

/**
 * Lists people.
 * @tool
 * @readonly
 */
export async function list(page: Page): Promise<Person[]> {
  return await people.page(page.from ?? 0, page.size);
}

/**
 * Counts people with a role.
 * @tool
 * @name count_people
 * @readonly
 * @returns how many there are
 */
export async function countPeople(
  /**
   * The role
   * @example "reader"
   */
  of_role: Role = Role.Reader,
  before?: Date,
): Promise<number> {
  const role = of_role;
  return (await people.page(0, 1000)).filter((one) => one.role === role).length;
}

/**
 * Replaces a person.
 * @tool
 * @scope people:write
 */
export async function replace(name: string, person: Person, trace?: string): Promise<Person> {
  const found = await people.find(name);
  if (found === undefined) return missing!(404, { reason: hidden(name) });
  if (trace !== undefined) {}
  calls += 1;
  return await people.put({ ...found, ...person });
}

/**
 * Changes a person.
 * @tool
 * @deprecated
 */
export async function change(name: string, change: Change): Promise<WithSchema<"urn:example:schema.change.result.1", Person & { changed: boolean }>> {
  log(`${name} ${self.calls}`);
  const found = await people.find(name);
  if (found === undefined) throw new Error("There is no such person.");
  return { ...(await people.put({ ...found, ...change })), changed: true };
}

/**
 * Remove.
 * @tool
 */
export function remove(names: string[], dry?: boolean): Promise<unknown> {
  return people.remove(names, dry === true);
}
