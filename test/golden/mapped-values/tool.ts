import type { JobContext } from "tenon";

/** A mail. @format email */
type Email = string;
type Moment = Date & { readonly __brand: "moment" };
interface Stamp extends Date {}
interface List extends Array<Email> {}
type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T;
interface Stored {
  /** When. */
  at: Date;
  dates: Date[];
  links: Map<string, URL>;
  sets: ReadonlySet<Date>;
  bytes: Uint8Array;
  moment: Moment;
  maybe?: Date | null;
}

/** @schema urn:example:schema.mapped-values.answer.1 */
type Answer = DeepReadonly<{ at: Date; all: Date[] }>;

/** @schema urn:example:schema.mapped-values.1 */
export interface Request {
  date: Readonly<Date>;
  dates: Readonly<Map<string, Date>>;
  mails: Readonly<Map<string, Email>>;
  unique: Readonly<Set<Email>> | null;
  url: Readonly<Partial<URL>>;
  bytes: Readonly<Uint8Array>;
  buffer: Readonly<Buffer>;
  moment: Readonly<Moment>;
  stamp: Readonly<Stamp>;
  list: Readonly<List>;
  stored: DeepReadonly<Stored>;
}

/**
 * Takes values through mapped types.
 * @tool
 */
export function take(request: Request): Answer {
  return { at: request.date, all: [] };
}

/**
 * Takes one value and returns one.
 * @tool
 */
export function convert(at: Readonly<Date>): Readonly<Uint8Array> {
  return new Uint8Array(at.getTime());
}

/**
 * Stores values in steps.
 * @tool
 */
export async function keep(job: JobContext): Promise<number> {
  const at = await job.step("at", (): Readonly<Date> => new Date());
  const all = await job.step("all", (): DeepReadonly<{ dates: Map<string, Date> }> => ({ dates: new Map() }));
  return at.getTime() + all.dates.size;
}
