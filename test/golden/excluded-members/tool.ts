/** Colour. */
type Colour = "red" | "green";
/** Level. @deprecated */
type Level = "low" | "mid" | "high";
/** Text. @minLength 3 */
type Text = string;
interface I { /** I. */ kind: "i"; /** i. */ i: number }
interface J { /** J. */ kind: "j"; /** i. */ i: number }
/** Both. */
type Both = I | J;
interface Box<T> { /** V. */ v: Exclude<T | null, null>; /** w */ w: Extract<T, string> }
/** @schema urn:example:schema.excluded-members.1 */
export interface Request {
  /** C. */ c: Exclude<Colour | "red" | null, null>;
  /** D. */ d: Extract<Both, I>;
  /** E. */ e: Both;
  /** F. */ f: Exclude<Level | Colour | null, "low" | null>;
  /** G. */ g: Box<Colour>;
  /** H. */ h: Exclude<Text | number, number>;
  /** I. */ i: Exclude<Both | Colour, Colour>;
  /** J. */ j: Extract<Both | Colour, { kind: string }>;
  /** K. */ k: NonNullable<Both | undefined>;
  /** L. */ l: Exclude<Both, I> | Colour;
  /** M. */ m: Exclude<Both | Colour | null, "red">[];
}
/** Takes unions without some of their members. @tool */
export function take(request: Request): string {
  return JSON.stringify(request);
}
