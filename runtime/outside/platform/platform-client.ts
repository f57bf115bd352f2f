import type { Artifact } from "./artifacts/artifact.ts";
import type { Aspect, AspectFilter, AspectOptions } from "./aspects.ts";
import type { PlatformService, ServiceFilter } from "./services.ts";
import type { UploadOptions } from "./artifacts/upload-content.ts";

/**
 * The platform in the form that a job sees: `job.platform`. All its calls carry the job's own token, and stop when the
 * job is stopped. Without a platform (`PLATFORM_BASE_URL` unset), artifacts and aspects are files of a local folder.
 *
 * All methods that call the platform throw a `PlatformError` or one of its subclasses.
 */
export interface PlatformClient {
  /**
   * Finds a stored file by its URN. Its content is read on demand.
   *
   * ```ts
   * const artifact = await job.platform.getArtifact(request.document);
   * await using file = await artifact.asLocalFile();
   * await convert(file.path);
   * ```
   *
   * @throws ResourceNotFoundError when there is no such file
   */
  getArtifact(urn: string): Promise<Artifact>;
  /** Stores bytes, a string, a stream or a local file, of any size. */
  uploadArtifact(options: UploadOptions): Promise<Artifact>;
  /** Attaches metadata to an entity. The schema is the aspect's `$schema` or comes from the options. */
  addAspect(entity: string, aspect: object, options?: AspectOptions): Promise<Aspect>;
  /** Replaces the entity's aspect that has the same schema. */
  updateAspect(entity: string, aspect: object, options?: AspectOptions): Promise<Aspect>;
  /** Lists matching aspects, the newest first. Pages are fetched on demand. */
  listAspects(filter?: AspectFilter): AsyncIterable<Aspect>;
  /** Lists matching services. Pages are fetched on demand. */
  listServices(filter?: ServiceFilter): AsyncIterable<PlatformService>;
  /** Returns a service by its URN. Whether the service exists is only checked when a job is requested. */
  getService(urn: string): Promise<PlatformService>;
  /**
   * Finds the service with exactly this name.
   *
   * @throws ResourceNotFoundError when there is none
   * @throws AmbiguousRequestError when there are several
   */
  getServiceByName(name: string): Promise<PlatformService>;
}
