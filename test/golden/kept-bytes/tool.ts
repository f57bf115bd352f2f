import type { JobContext } from "tenon";

/** @schema urn:example:schema.picture.result.1 */
interface Picture {
  /** Bytes of a PNG. */
  content: Uint8Array;
}

declare function draw(): Uint8Array;

/**
 * Draws a picture.
 * @tool
 */
export async function picture(text: string, job: JobContext): Promise<Picture> {
  const drawn = await job["step"]("draw", () => draw());
  const inferred = await job.step("copy", () => ({ content: new Uint8Array([text.length, ...drawn]) }));
  const many = await job.step("many", () => new Map([["a", new Set([new Uint8Array([1])])]]));
  await job.step<Picture>("named", () => inferred);
  return { content: new Uint8Array([many.size]) };
}
