/** @schema urn:example:schema.note.result.1 */
export interface Note {
  /** @format uuid */
  id: string;
  /** @minLength 1 */
  title: string;
  text: string;
}

/**
 * The number of notes.
 * @schema urn:example:schema.count.result.1
 */
export interface Count {
  /** Over all pages */
  total: number;
  byTag?: Record<string, number>;
}

/** @schema urn:example:schema.count.request.1 */
export interface CountRequest {
  tags?: string[];
}

/** @schema urn:example:schema.health-read.result.1 */
export interface HealthReadResult {
  ok: boolean;
}

/**
 * Counts notes.
 * @tool
 */
export function count(_input: CountRequest): Count {
  throw new Error("The body was not carried over.");
}

/**
 * GET /health.
 * @tool
 * @readonly
 */
export function healthRead(): HealthReadResult {
  throw new Error("The body was not carried over.");
}
