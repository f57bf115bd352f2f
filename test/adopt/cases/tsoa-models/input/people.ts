import { createHash } from "node:crypto";
import {
  Body,
  BodyProp,
  Controller,
  Delete,
  Deprecated,
  Get,
  Header,
  Hidden,
  Inject,
  Middlewares,
  OperationId,
  Patch,
  Path,
  Put,
  Queries,
  Query,
  Request,
  Res,
  Response,
  Route,
  Security,
  type TsoaResponse,
} from "tsoa";
import { type Person, Page, Role } from "./models.js";
import type { People } from "./store.js";

type Change = Partial<Pick<Person, "email" | "role">>;

@Route("people")
@Security("api_key")
export class PeopleController extends Controller {
  #calls = 0;

  constructor(
    private readonly people: People,
    private salt: string,
  ) {
    super();
  }

  /** Lists people. */
  @Get()
  @Response<{ message: string }>(400, "The page does not exist")
  public async list(@Queries() page: Page): Promise<Person[]> {
    this.setHeader("X-Total", "2");
    return await this.people.page(page.from ?? 0, page.size);
  }

  /**
   * @summary Counts people with a role.
   * @param role The role
   * @example role "reader"
   * @isDate before
   * @returns how many there are
   */
  @Get("count")
  @OperationId("count_people")
  @Middlewares([])
  public async count(@Query("of_role") role: Role = Role.Reader, @Query() before?: Date, @Request() request?: object): Promise<number> {
    return (await this.people.page(0, 1000)).filter((one) => one.role === role).length;
  }

  /**
   * Replaces a person.
   * @example { "name": "Ada" }
   */
  @Put("{name}")
  @Security({ jwt: ["people:write"] })
  public async replace(
    @Path() name: string,
    @Body() person: Person,
    @Header("X-Trace") trace?: string,
    @Res() missing?: TsoaResponse<404, { reason: string }>,
  ): Promise<Person> {
    const found = await this.people.find(name);
    if (found === undefined) return missing!(404, { reason: this.hidden(name) });
    if (trace !== undefined) this.setStatus(202);
    this.#calls += 1;
    return await this.people.put({ ...found, ...person });
  }

  /** Changes a person. */
  @Patch("{name}")
  @Deprecated()
  public async change(@Path() name: string, @Body() change: Change, @Inject() log: (text: string) => void): Promise<Person & { changed: boolean }> {
    log(`${name} ${this.calls}`);
    const found = await this.people.find(name);
    if (found === undefined) throw new Error("There is no such person.");
    return { ...(await this.people.put({ ...found, ...change })), changed: true };
  }

  @Delete()
  @Hidden()
  public remove(@BodyProp() names: string[], @Query("dry-run") dry?: boolean): Promise<any> {
    return this.people.remove(names, dry === true);
  }

  get calls(): number {
    return this.#calls;
  }

  /** A name that nobody reads. */
  private hidden(name: string): string {
    return createHash("sha256").update(`${this.salt}${name}`).digest("hex");
  }
}
