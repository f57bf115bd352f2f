/** @schema urn:example:schema.user.result.1 */
export interface User {
  /** @minLength 2 */
  name: string;
  /** @type integer */
  born: number;
}

// Not carried over: give it a value, or import it.
declare const self: any;

/** @schema urn:example:schema.find-users.request.1 */
export interface FindUsersRequest {
  name: string;
}

function withStatus(name: string, next: string) {
  return { status: name === next ? 400 : 200, body: { name: next, born: 1815 } };
}

/** @schema urn:example:schema.rename-user.request.1 */
export interface RenameUserRequest {
  name: string;
  body: string;
}

/**
 * Adds a user.
 * @tool
 */
export async function addUser(input: User): Promise<User> {
  self.users.push(input);
  return input;
}

/**
 * Finds users by name.
 * @tool
 * @readonly
 */
export async function findUsers(input: FindUsersRequest): Promise<User[]> {
  return self.users.filter(({ name }) => name === input.name);
}

/**
 * Renames a user.
 * @tool
 */
export async function renameUser(input: RenameUserRequest): Promise<User> {
  return withStatus(input.name, input.body);
}
