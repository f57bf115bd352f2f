import type { Artifact } from "./artifacts/artifact.ts";
import type { Aspect, AspectFilter, AspectOptions } from "./aspects.ts";
import type { PlatformService, ServiceFilter } from "./services.ts";
import type { UploadOptions } from "./artifacts/upload-content.ts";

/**
 * The platform as a job sees it: `job.platform`. Everything that it does carries the job's own token, and stops when the
 * job is stopped. Without a platform (`PLATFORM_BASE_URL` unset) artifacts and aspects are files of a local folder.
 *
 * All methods that ask the platform throw a `PlatformError` or one of its subclasses.
 */
export interface PlatformClient {
  /**
   * A stored file, by its URN. Its content is read when you ask for it.
   *
   * ```ts
   * const artifact = await job.platform.getArtifact(request.document);
   * await using file = await artifact.asLocalFile();
   * await convert(file.path);
   * ```
   *
   * @throws ResourceNotFoundError when there is none
   */
  getArtifact(urn: string): Promise<Artifact>;
  /** Stores bytes, a string, a stream or a local file, of any size. */
  uploadArtifact(options: UploadOptions): Promise<Artifact>;
  /** Attaches metadata to an entity. The schema comes from the aspect's `$schema` or the options. */
  addAspect(entity: string, aspect: object, options?: AspectOptions): Promise<Aspect>;
  /** The same, in place of the entity's aspect of that schema. */
  updateAspect(entity: string, aspect: object, options?: AspectOptions): Promise<Aspect>;
  /** Aspects that match, the newest first. Pages are fetched as you go on. */
  listAspects(filter?: AspectFilter): AsyncIterable<Aspect>;
  /** Services that match. Pages are fetched as you go on. */
  listServices(filter?: ServiceFilter): AsyncIterable<PlatformService>;
  /** A service by its URN. One that does not exist shows when a job is requested. */
  getService(urn: string): Promise<PlatformService>;
  /**
   * The service of exactly that name.
   * @throws ResourceNotFoundError when there is none
   * @throws AmbiguousRequestError when there are several
   */
  getServiceByName(name: string): Promise<PlatformService>;
}
