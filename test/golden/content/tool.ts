import { Content } from "tenon";

/**
 * One content.
 * @tool
 * @text none
 */
export function one(): Content {
  return Content.text("a");
}

/**
 * A list, beside strings.
 * @tool
 */
export async function mixed(): Promise<readonly (Content | string)[]> {
  return ["a", Content.text("b")];
}

/**
 * Either.
 * @tool
 */
export function either(): Content | Content[] | string {
  return "a";
}
