import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Chance } from "../chaos/chance.ts";
import { startPlatform, type PlatformProcess } from "../support/platform-process.ts";
import { startS3 } from "../support/s3-server.ts";
import type { Attack, AttackContext, Finding } from "./attack.ts";
import { startLyingStore } from "./lying-store.ts";

interface Answered {
  readonly status: number;
  readonly offset: number;
  readonly content: Buffer;
}

/** A platform that is killed and started again while others write to it. */
class Killed {
  #platform: PlatformProcess;
  readonly #start: () => Promise<PlatformProcess>;
  #isUp: Promise<void> = Promise.resolve();

  constructor(platform: PlatformProcess, start: () => Promise<PlatformProcess>) {
    this.#platform = platform;
    this.#start = start;
  }

  /** Kills the process, and starts the next one on what it has left. */
  async kill(): Promise<void> {
    let open = (): void => undefined;
    this.#isUp = new Promise((resolve) => (open = resolve));
    await this.#platform.kill();
    this.#platform = await this.#start();
    open();
  }

  /** Sends a request to the process of now; undefined: no answer, or not a whole one. */
  async ask(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>> = {},
    body?: Buffer,
  ): Promise<Answered | undefined> {
    await this.#isUp;
    try {
      const answer = await fetch(this.#platform.url + path, {
        method,
        headers,
        ...(body !== undefined && { body: new Uint8Array(body) }),
      });
      const content = Buffer.from(await answer.arrayBuffer());
      return { status: answer.status, offset: Number(answer.headers.get("upload-offset") ?? Number.NaN), content };
    } catch {
      return undefined;
    }
  }

  stop(): Promise<number | null> {
    return this.#platform.stop();
  }
}

const tus = { "tus-resumable": "1.0.0" };
const idOf = ({ content }: Answered): string => (JSON.parse(content.toString()) as { readonly id: string }).id;

/** Contents by the id that the platform acknowledged them with, and counts. */
interface Written {
  readonly acknowledged: Map<string, Buffer>;
  readonly breaches: string[];
  resumed: number;
  broken: number;
}

/** Stores a content in one request. */
async function storeWhole(platform: Killed, content: Buffer, record: Written): Promise<void> {
  const answer = await platform.ask("POST", "/artifacts", {}, content);
  if (answer === undefined) record.broken++;
  else if (answer.status === 201) record.acknowledged.set(idOf(answer), content);
  else record.breaches.push(`storing: ${answer.status} ${answer.content.toString("utf8", 0, 100)}`);
}

/** Stores a content in pieces, and goes on where the platform says after each request without an answer. */
async function storeInPieces(platform: Killed, content: Buffer, chance: Chance, record: Written): Promise<void> {
  const made = await platform.ask("POST", "/artifacts", { ...tus, "upload-length": String(content.length) });
  if (made === undefined) {
    record.broken++;
    return;
  }
  const path = `/artifacts/${idOf(made)}/blob`;
  let [offset, promised] = [0, 0];
  while (offset < content.length) {
    const piece = content.subarray(offset, offset + 1 + chance.below(60_000));
    const headers = { ...tus, "content-type": "application/offset+octet-stream", "upload-offset": String(offset) };
    const answer = await platform.ask("PATCH", path, headers, piece);
    if (answer?.status === 204) {
      offset += piece.length;
      promised = offset;
      if (answer.offset !== offset) record.breaches.push(`a piece up to ${offset} was answered with ${answer.offset}`);
      continue;
    }
    if (answer === undefined) record.broken++;
    else if (answer.status !== 409) record.breaches.push(`a piece: ${answer.status}`);
    const state = await platform.ask("HEAD", path, tus);
    if (state === undefined) continue;
    record.resumed++;
    if (state.status !== 200 || !(state.offset >= promised && state.offset <= content.length)) {
      record.breaches.push(`${promised} bytes were acknowledged, and HEAD says ${state.status}, ${state.offset}`);
      return;
    }
    offset = state.offset;
  }
  record.acknowledged.set(idOf(made), content);
}

/** Kills a platform again and again while four writers store artifacts, and reads all that it has acknowledged. */
async function writeUnderKills(
  start: () => Promise<PlatformProcess>,
  { size, chance, log }: AttackContext,
): Promise<Pick<Finding, "inputs" | "result" | "breaches">> {
  const platform = new Killed(await start(), start);
  const kills = Math.max(2, Math.ceil(size.kills / 4));
  const record: Written = { acknowledged: new Map(), breaches: [], resumed: 0, broken: 0 };
  const dice = chance();
  const over = new AbortController();
  const write = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const content = randomBytes(1 + dice.below(200_000));
      if (dice.happens(0.5)) await storeWhole(platform, content, record);
      else await storeInPieces(platform, content, dice, record);
    }
  };
  const writers = Array.from({ length: 4 }, write);
  let right = 0;
  try {
    for (let kill = 1; kill <= kills; kill++) {
      // A kill counts only if something was stored since the last one.
      const before = record.acknowledged.size;
      while (record.acknowledged.size === before && record.breaches.length < 10) await sleep(5 + dice.below(60));
      await platform.kill();
      if (kill % 10 === 0) log(`  ${kill} of ${kills} kills`);
    }
    over.abort();
    await Promise.all(writers);
    for (const [id, content] of record.acknowledged) {
      const answer = await platform.ask("GET", `/artifacts/${id}`);
      if (answer?.status === 200 && answer.content.equals(content)) right++;
      else
        record.breaches.push(`${id} was acknowledged with ${content.length} bytes: ${answer?.status ?? "no answer"}`);
    }
  } finally {
    over.abort();
    const code = await platform.stop();
    if (code !== 0) record.breaches.push(`the platform ended with ${code}`);
  }
  return {
    inputs: `${kills} kills, ${record.acknowledged.size} artifacts of up to 200 kB, whole and in pieces, 4 writers`,
    result:
      `${record.broken} requests without an answer, ${record.resumed} uploads resumed, ` +
      `${right} of ${record.acknowledged.size} acknowledged artifacts equal to the byte afterwards`,
    breaches: record.breaches.slice(0, 10),
  };
}

/** `kill -9` of a platform whose artifacts are in its folder. */
export const attackWithFolderKills: Attack = async (context) => {
  const words = ["--folder", context.folder("folder-kills")];
  const found = await writeUnderKills(() => startPlatform(words), context);
  return { attack: "`kill -9` of a platform while artifacts go to its folder", peers: [], ...found };
};

/** `kill -9` of a platform whose artifacts are in a bucket. */
export const attackWithBucketKills: Attack = async (context) => {
  const attack = "`kill -9` of a platform while artifacts go to a bucket";
  const s3 = await startS3();
  if (s3 === undefined) return { attack, inputs: "0 kills", result: "needs Node 24", peers: [], breaches: [] };
  const store = await startLyingStore(s3);
  // Answers the list that a start asks for: the store of the tests makes tokens for the next page by a cipher that Node
  // no longer has.
  store.lie = ({ url }, response) => {
    if (url?.includes("max-keys=1") !== true) return false;
    response.end("<ListBucketResult></ListBucketResult>");
    return true;
  };
  const words = ["--artifacts", `s3://${s3.bucket}/some`, "--folder", context.folder("bucket-kills")];
  const env = { ...s3.env, AWS_ENDPOINT_URL_S3: store.url };
  try {
    return { attack, peers: [], ...(await writeUnderKills(() => startPlatform(words, env), context)) };
  } finally {
    await store.stop();
    await s3.stop();
  }
};
