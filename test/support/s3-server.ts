import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** An S3 server of this process, with a bucket and signatures that it checks. */
export interface S3Server {
  readonly url: string;
  readonly bucket: string;
  /** Folder of the bucket's objects. */
  readonly folder: string;
  /** Variables that clients need in their environment. */
  readonly env: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

interface Server {
  run(): Promise<AddressInfo>;
  close(): Promise<void>;
}

/** Undefined where the running Node is older than the server's package wants. */
export async function startS3(): Promise<S3Server | undefined> {
  if (Number(process.versions.node.split(".", 1)[0]) < 24) return undefined;
  const S3rver = createRequire(import.meta.url)("@20minutes/s3rver") as new (options: object) => Server;
  const directory = mkdtempSync(join(tmpdir(), "tenon-s3-"));
  const bucket = "artifacts";
  const options = { address: "127.0.0.1", port: 0, silent: true, vhostBuckets: false, directory };
  const server = new S3rver({ ...options, configureBuckets: [{ name: bucket, configs: [] }] });
  const { port } = await server.run();
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    bucket,
    folder: join(directory, bucket),
    env: { AWS_ENDPOINT_URL_S3: url, AWS_ACCESS_KEY_ID: "S3RVER", AWS_SECRET_ACCESS_KEY: "S3RVER" },
    async stop() {
      await server.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
