import { ValueError } from "tenon";

/** @schema urn:example:schema.user.result.1 */
export interface User {
  /** @format uuid */
  id: string;
  name: string;
}

/** @schema urn:example:schema.get-users-by-id.request.1 */
export interface GetUsersByIdRequest {
  /** @format uuid */
  id: string;
}

/** @schema urn:example:schema.post-users.request.1 */
export interface PostUsersRequest {
  /** @minItems 1 */
  body: User[];
}

/**
 * Reads a user.
 * @tool
 * @readonly
 */
export async function getUsersById(input: GetUsersByIdRequest): Promise<User> {
  const { id } = input;
  if (id === "0") throw new ValueError("Forbidden.");
  if (id === "") throw new ValueError("There is no such user.");
  return { id, name: "Ada" };
}

/**
 * Adds users.
 * @tool
 */
export async function postUsers(input: PostUsersRequest): Promise<unknown> {
  return input.body.length;
}
