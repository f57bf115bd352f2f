import { Controller } from "@nestjs/common";
import { initContract } from "@ts-rest/core";
import { nestControllerContract, TsRest, TsRestHandler, tsRestHandler, TsRestRequest } from "@ts-rest/nest";
import { z } from "zod";

const c = initContract();
const User = z.object({ name: z.string().min(2), born: z.number().int() });

export const usersContract = c.router({
  addUser: { method: "POST", path: "/users", body: User, responses: { 201: User }, summary: "Adds a user." },
  findUsers: {
    method: "GET",
    path: "/users",
    query: z.object({ name: z.string() }),
    responses: { 200: User.array() },
    summary: "Finds users by name.",
  },
  renameUser: {
    method: "PUT",
    path: "/users/:name",
    body: c.type<string>(),
    responses: { 200: User },
    summary: "Renames a user.",
  },
});

const nested = nestControllerContract(usersContract);

@Controller()
export class UsersController {
  private readonly users: z.infer<typeof User>[] = [];

  @TsRestHandler(usersContract.addUser)
  async addUser() {
    return tsRestHandler(usersContract.addUser, async ({ body }) => {
      this.users.push(body);
      return { status: 201, body };
    });
  }

  @TsRest(nested.findUsers)
  async findUsers(@TsRestRequest() { query }: { query: { name: string } }) {
    return { status: 200, body: this.users.filter(({ name }) => name === query.name) };
  }

  @TsRest(usersContract.renameUser)
  async renameUser(@TsRestRequest() request: { params: { name: string }; body: string }) {
    return withStatus(request.params.name, request.body);
  }
}

function withStatus(name: string, next: string) {
  return { status: name === next ? 400 : 200, body: { name: next, born: 1815 } };
}
