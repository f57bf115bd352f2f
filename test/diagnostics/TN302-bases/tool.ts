import type { Base } from "no-such-package";
import { Entity } from "no-such-package";

interface Direct extends Base {
  a: string;
}
interface Utility extends Partial<Missing> {
  a: string;
}
interface Middle extends Absent {
  a: string;
}
interface Deep extends Middle {
  b: string;
}
class Model extends Entity {
  a = "";
}
interface Generic extends Pick<Direct2, "a"> {
  c: string;
}
interface Direct2 extends Nowhere {
  a: string;
}

/** @schema urn:example:schema.case.1 */
export interface Request {
  /** Direct. */
  direct: Direct;
  /** Of a utility type. */
  utility: Utility[];
  /** Two levels deep. */
  deep: Map<string, Deep>;
  /** Of a class. */
  model: Model | null;
  /** In an operation. */
  generic: Generic;
}

/** Takes a request. @tool */
export function take(request: Request): void {
  void request;
}
