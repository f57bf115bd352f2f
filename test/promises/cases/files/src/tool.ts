import { stat } from "node:fs/promises";
import type { JobContext } from "tenon";

/** Stores a text, and reads it again.
 * @tool
 * @param text The text. */
export async function storeText(text: string, job: JobContext): Promise<string> {
  const { urn } = await job.platform.uploadArtifact({ name: "text.txt", contentType: "text/plain", content: text });
  const artifact = await job.platform.getArtifact(urn);
  return Buffer.from(await artifact.bytes()).toString();
}

/** Stores bytes, and reads them as a file.
 * @tool */
export async function storeBytes(job: JobContext): Promise<number> {
  const { urn } = await job.platform.uploadArtifact({ name: "bytes", content: new Uint8Array(100_000) });
  const file = await (await job.platform.getArtifact(urn)).asLocalFile();
  const { size } = await stat(file.path);
  await file[Symbol.asyncDispose]();
  return size;
}
