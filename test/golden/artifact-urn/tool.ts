import type { ArtifactUrn, JobContext } from "tenon";

/** @schema urn:example:schema.artifact-urn.1 */
export interface Request {
  document: ArtifactUrn;
  more?: ArtifactUrn[];
  /** A name that would be warned about, were it a string. */
  outputFile: ArtifactUrn | null;
}

/**
 * Copies an artifact.
 * @tool
 */
export async function copy(request: Request, job: JobContext): Promise<ArtifactUrn> {
  const artifact = await job.platform.getArtifact(request.document);
  const copied = await job.platform.uploadArtifact({ name: artifact.name ?? "copy", content: artifact.stream() });
  return copied.urn;
}
