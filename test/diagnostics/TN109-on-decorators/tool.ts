// @ts-expect-error: the packages are not installed.
import { IsEmail, Min, ValidateNested } from "class-validator";
// @ts-expect-error: the same.
import * as orm from "orm";

/** @schema urn:example:schema.case.1 */
export class Request {
  /** How many. */
  @Min(1) count = 0;
  /** Where to. */
  @IsEmail() mail?: string;
  /** An object. */
  @ValidateNested() size?: { /** Its width. */ width: number };
  /** Said by the type. */
  @orm.IsOptional @orm.Column() note?: string;
}

/** Takes a request. @tool */
export function take(request: Request): void {
  void request;
}
