import { createHash } from "node:crypto";
import { join } from "node:path";
import { readAddress } from "../../runtime/executor/store/postgres/connection/address.ts";
import { Negotiation } from "../../runtime/executor/store/postgres/connection/tls.ts";
import { openPostgresStore } from "../../runtime/executor/store/postgres/open-postgres.ts";
import { passesNotes, type PassesNotes } from "../../runtime/executor/store/passes-notes.ts";
import { openSqliteStore } from "../../runtime/executor/store/sqlite/sqlite.ts";
import { StoreError } from "../../runtime/executor/store/store-error.ts";
import type { PlatformStore } from "./jobs/known-jobs.ts";
import { loadSecret } from "./jobs/job-token.ts";
import { openBucket, readBucketPlace } from "./stored/bucket.ts";
import { BucketBytes } from "./stored/bucket-bytes.ts";
import type { ArtifactBytes } from "./stored/artifact-bytes.ts";
import { FolderBytes } from "./stored/folder-bytes.ts";
import type { PlatformTables } from "./stored/platform-tables.ts";
import { openPostgresTables } from "./stored/postgres-tables.ts";
import { openSqliteTables } from "./stored/sqlite-tables.ts";

export interface StoreOptions {
  /** The platform's folder. */
  readonly folder: string;
  /** Address of a PostgreSQL database that replicas share; default: files in the folder. */
  readonly store?: string | undefined;
  /** The secret that replicas share; default: one in the folder. */
  readonly key?: string | undefined;
  /** Folder or bucket (`s3://…`) of artifacts; default: in the platform's folder. */
  readonly artifacts?: string | undefined;
  /** Minimum milliseconds for leases of an earlier process. */
  readonly leaseGrace: number;
  /** Milliseconds to wait for the server of the database, or of the bucket, to become reachable; default none. */
  readonly patience?: number | undefined;
  /** Gets problems with the bucket, for the operator. */
  readonly warn?: ((line: string) => void) | undefined;
  /** The clock of a test, in milliseconds. */
  readonly now?: (() => number) | undefined;
}

export interface OpenedStores {
  readonly store: PlatformStore;
  readonly tables: PlatformTables;
  readonly bytes: ArtifactBytes;
  /** Signs tokens. */
  readonly secret: Buffer;
  /** True when replicas share the secret. */
  readonly hasSharedSecret: boolean;
  /** The store, if replicas share it. */
  readonly shared: (PlatformStore & PassesNotes) | undefined;
  close(): Promise<void>;
}

/** Maximum number of finished jobs. */
const maxFinished = 100_000;
/**
 * Bytes of the stored requests that outlive their jobs: those of at most 10 kB, which are at most twice as long where
 * they are stored, as text in JSON.
 */
const keptInput = 21_000;
/** Default schema of a platform's jobs, separate from that of services. */
const usualSchema = "tenon_platform";

/** Opens all storage of a platform. Rejects with a `StoreError` that explains the problem. */
export async function openStores(options: StoreOptions): Promise<OpenedStores> {
  const { folder, key } = options;
  // Parsed before anything is opened, since the address may be invalid.
  const place =
    options.artifacts?.startsWith("s3:") === true ? readBucketPlace(options.artifacts, process.env) : undefined;
  const { store, openTables } = await openJobs(options);
  let tables: PlatformTables | undefined;
  try {
    tables = await openTables();
    const bytes =
      place === undefined
        ? new FolderBytes(options.artifacts ?? join(folder, "artifacts"))
        : new BucketBytes(await openBucket(place, options.patience, options.warn), join(folder, "incoming"));
    const opened = tables;
    return {
      store,
      tables,
      bytes,
      secret: key === undefined ? loadSecret(folder) : createHash("sha256").update(key).digest(),
      hasSharedSecret: key !== undefined,
      shared: store.isShared === true && passesNotes(store) ? store : undefined,
      async close() {
        await store.close();
        await opened.close();
      },
    };
  } catch (error) {
    await tables?.close();
    await store.close();
    throw error;
  }
}

interface OpenedJobs {
  readonly store: PlatformStore;
  readonly openTables: () => Promise<PlatformTables>;
}

async function openJobs({ folder, store: spec, leaseGrace, patience = 0, now }: StoreOptions): Promise<OpenedJobs> {
  if (spec === undefined) {
    // The job store is opened first: its lock keeps a second platform out of the folder.
    const clock = now === undefined ? {} : { now };
    const store = openSqliteStore(join(folder, "jobs.db"), { maxFinished, keptInput, leaseGrace, ...clock });
    return { store, openTables: () => openSqliteTables(folder) };
  }
  const negotiation = new Negotiation(readAddress(platformStore(spec)));
  const listenUrl = process.env["TENON_STORE_LISTEN_URL"]?.trim() || undefined;
  const store = await openPostgresStore(negotiation, {
    maxFinished,
    keptInput,
    patience,
    early: "any",
    ...(listenUrl !== undefined && { listenUrl }),
  });
  return { store, openTables: () => openPostgresTables(negotiation) };
}

/** The address of a platform's database, with its schema. Throws a `StoreError`. */
export function platformStore(spec: string): string {
  const address = spec.trim();
  if (!/^postgres(?:ql)?:\/\//i.test(address)) {
    throw new StoreError(
      "TENON_STORE: replicas of a platform share a PostgreSQL database: postgres://USER:PASSWORD@HOST/DATABASE. Without " +
        "--store a platform keeps everything in its folder.",
    );
  }
  if (readAddress(address).options.has("schema")) return address;
  return `${address}${address.includes("?") ? "&" : "?"}schema=${usualSchema}`;
}
