import { expect, onTestFinished, test, vi } from "vitest";
import { ArtifactRoutes, type ArtifactRouteOptions } from "../../../../../cli/local-platform/routes/artifact-routes.ts";
import { startHttp } from "../../../../../cli/local-platform/routes/http-server.ts";
import type { ArtifactBytes } from "../../../../../cli/local-platform/stored/artifact-bytes.ts";
import { ArtifactStore } from "../../../../../cli/local-platform/stored/artifact-store.ts";
import { BucketBytes } from "../../../../../cli/local-platform/stored/bucket-bytes.ts";
import { FolderBytes } from "../../../../../cli/local-platform/stored/folder-bytes.ts";
import { OnceKeys } from "../../../../../cli/local-platform/stored/once-keys.ts";
import { openSqliteTables } from "../../../../../cli/local-platform/stored/sqlite-tables.ts";
import { UploadClaims } from "../../../../../cli/local-platform/stored/upload-claims.ts";
import { smallBucket } from "../../../../support/small-bucket.ts";
import { temporaryFolder } from "../../../../support/temporary-folder.ts";

/** Replicas of a platform, as far as they have to do with artifacts. */
async function replicas(count: number, kind: string): Promise<readonly string[]> {
  const folder = temporaryFolder();
  const opened = await openSqliteTables(folder);
  onTestFinished(() => opened.close());
  const { query, conditions } = opened;
  const exclusively: typeof opened.exclusively = (work) => opened.exclusively(work);
  const tables = { query, conditions, exclusively, isShared: count > 1, close: async () => {} };
  const small = kind === "bucket" ? await smallBucket() : undefined;
  const start = async (): Promise<string> => {
    const bytes: ArtifactBytes =
      small === undefined ? new FolderBytes(`${folder}/files`) : new BucketBytes(small.bucket, temporaryFolder());
    const artifacts = new ArtifactStore(bytes, tables, new OnceKeys(tables));
    const options = { artifacts, claims: new UploadClaims(tables) } as Partial<ArtifactRouteOptions>;
    const routes = new ArtifactRoutes(options as ArtifactRouteOptions);
    const { url, close } = await startHttp({ host: "127.0.0.1", port: 0 }, (exchange) => {
      routes.handle(exchange).catch((error: unknown) => exchange.json(500, { message: String(error) }));
    });
    onTestFinished(close);
    return url;
  };
  return Promise.all(Array.from({ length: count }, start));
}

const tus = { "tus-resumable": "1.0.0" };
const size = 300_000;

async function announce(url = "", length = 2 * size): Promise<string> {
  const headers = { ...tus, "upload-length": String(length) };
  const answer = await fetch(`${url}/artifacts`, { method: "POST", headers });
  return ((await answer.json()) as { readonly id: string }).id;
}

const append = (url = "", id = "", offset = 0, letter = ""): Promise<Response> =>
  fetch(`${url}/artifacts/${id}/blob`, {
    method: "PATCH",
    headers: { ...tus, "upload-offset": String(offset) },
    body: letter.repeat(size),
  });

test.each([
  [1, "folder"],
  [1, "bucket"],
  [2, "folder"],
  [2, "bucket"],
])("of many writers of one upload at %i replicas with a %s, one is taken at a time", async (count, kind) => {
  const urls = await replicas(count, kind);
  const id = await announce(urls[0]);
  let content = "";
  for (const offset of [0, size]) {
    const answers = await Promise.all(Array.from("abcdef", (letter, n) => append(urls[n % count], id, offset, letter)));
    const taken = answers.flatMap(({ status }, n) => (status === 204 ? ["abcdef".charAt(n)] : []));
    expect(taken).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(5);
    content += taken[0]?.repeat(size);
  }
  for (const url of urls) expect((await (await fetch(`${url}/artifacts/${id}`)).text()) === content).toBe(true);
});

test("a claim of a replica that was killed ends after seconds, that of a living one is renewed", async () => {
  const tables = await openSqliteTables(temporaryFolder());
  onTestFinished(() => tables.close());
  vi.useFakeTimers({ toFake: ["Date", "setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  let isDead = false;
  const query: typeof tables.query = async (text, ...values) =>
    isDead && text.startsWith("UPDATE") ? [] : tables.query(text, ...values);
  const shared = { query, isShared: true } as typeof tables;
  const claims = (): UploadClaims => new UploadClaims(shared);
  const claimed = (): Promise<boolean> =>
    claims().during(
      "a",
      async () => true,
      () => false,
    );
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const held = claims().during(
    "a",
    () => promise,
    () => false,
  );
  await vi.advanceTimersByTimeAsync(300_000);
  expect(await claimed()).toBe(false);
  isDead = true;
  await vi.advanceTimersByTimeAsync(5000);
  expect(await claimed()).toBe(false);
  await vi.advanceTimersByTimeAsync(4000);
  expect([await claimed(), await claimed()]).toEqual([true, true]);
  resolve(true);
  await held;
});
