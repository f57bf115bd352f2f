import { randomBytes } from "node:crypto";
import { Agent, request } from "node:http";
import { startPlatform } from "../support/platform-process.ts";
import { startS3 } from "../support/s3-server.ts";
import type { Attack } from "./attack.ts";
import { lies, startLyingStore } from "./lying-store.ts";

interface Answered {
  /** Undefined: the connection broke off. */
  readonly status: number | undefined;
  readonly content: Buffer;
}

type Ask = (
  method: string,
  path: string,
  headers?: Readonly<Record<string, string>>,
  body?: Buffer,
) => Promise<Answered>;

/** Milliseconds in which an answer is there, or the connection gone. */
const patience = 20_000;

/** Requests on one connection, so that bytes of one answer that are taken for the next one show. */
function asker(url: string, agent: Agent): Ask {
  return (method, path, headers = {}, body) =>
    new Promise((resolve) => {
      const pieces: Buffer[] = [];
      const end = (status: number | undefined): void => resolve({ status, content: Buffer.concat(pieces) });
      const sent = request(url + path, { method, headers, agent, timeout: patience }, (answer) => {
        answer.on("data", (chunk: Buffer) => pieces.push(chunk));
        answer.once("end", () => end(answer.statusCode));
        answer.once("error", () => end(undefined));
      });
      sent.once("timeout", () => sent.destroy());
      sent.once("error", () => end(undefined));
      sent.end(body);
    });
}

/** Artifacts in a bucket whose store says what is not so, or nothing of use: what callers get is right, or an error. */
export const attackWithBuckets: Attack = async ({ folder, log }) => {
  const attack = "Artifacts in a bucket whose store answers wrongly";
  const s3 = await startS3();
  if (s3 === undefined) return { attack, inputs: "0 answers", result: "needs Node 24", peers: [], breaches: [] };
  const store = await startLyingStore(s3);
  const words = ["--artifacts", `s3://${s3.bucket}/some`, "--folder", folder("buckets")];
  // A text that is gathered without an end would end the process.
  const env = { ...s3.env, AWS_ENDPOINT_URL_S3: store.url, NODE_OPTIONS: "--max-old-space-size=128" };
  const platform = await startPlatform(words, env);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = asker(platform.url, agent);
  const content = randomBytes(100_000);
  const breaches: string[] = [];
  const tally = { right: 0, refused: 0, cut: 0 };
  const idOf = ({ content: made }: Answered): string => (JSON.parse(made.toString()) as { readonly id: string }).id;
  const read = (id: string, range?: string): Promise<Answered> =>
    ask("GET", `/artifacts/${id}`, range === undefined ? {} : { range });
  const storeIt = (): Promise<Answered> => ask("POST", "/artifacts", {}, content);
  const inPieces = async (): Promise<Answered> => {
    const tus = { "tus-resumable": "1.0.0", "upload-length": "12" };
    const made = await ask("POST", "/artifacts", tus);
    if (made.status !== 201) return made;
    const id = idOf(made);
    const piece = (offset: number, text: string): Promise<Answered> =>
      ask(
        "PATCH",
        `/artifacts/${id}/blob`,
        { ...tus, "content-type": "application/offset+octet-stream", "upload-offset": String(offset) },
        Buffer.from(text),
      );
    for (const [offset, text] of [
      [0, "first "],
      [6, "second"],
    ] as const) {
      const answer = await piece(offset, text);
      if (answer.status !== 204) return answer;
    }
    return read(id);
  };
  const judge = (what: string, { status, content: got }: Answered, expected: Buffer | undefined): void => {
    if (status === undefined) tally.cut++;
    else if (status >= 500 && got.includes("urn:platform:problem:")) tally.refused++;
    else if (status < 300 && (expected === undefined || got.equals(expected))) tally.right++;
    else breaches.push(`${what}: ${status}, ${got.length} bytes: ${got.toString("latin1", 0, 60)}`);
  };
  try {
    const id = idOf(await storeIt());
    const operations: readonly (readonly [string, () => Promise<Answered>, Buffer | undefined])[] = [
      ["reading", () => read(id), content],
      ["reading a part", () => read(id, "bytes=10-99"), content.subarray(10, 100)],
      ["storing", storeIt, undefined],
      ["storing in pieces", inPieces, Buffer.from("first second")],
    ];
    for (const [name, lie] of Object.entries(lies)) {
      log(`  ${name}`);
      for (const [operation, run, expected] of operations) {
        store.lie = lie;
        judge(`${operation}, ${name}`, await run(), expected);
        store.lie = undefined;
        // Of the same connection, and as it was before.
        const after = await read(id);
        if (!after.content.equals(content)) breaches.push(`${operation} behind ${name}: ${after.status}`);
      }
    }
    for (const [operation, run, expected] of operations) {
      const { status, content: got } = await run();
      if (status === undefined || status >= 300 || (expected !== undefined && !got.equals(expected)))
        breaches.push(`${operation} in the end: ${status}`);
    }
    if (store.misled() > 0) breaches.push(`${store.misled()} requests followed a redirect`);
  } finally {
    agent.destroy();
    const code = await platform.stop();
    if (code !== 0) breaches.push(`the platform ended with ${code}: ${platform.said().slice(-500)}`);
    await store.stop();
    await s3.stop();
  }
  return {
    attack,
    inputs: `${Object.keys(lies).length} kinds of answers to reading, reading a part, storing, storing in pieces`,
    result:
      `${tally.refused} refused with 503, ${tally.cut} cut, ${tally.right} right all the same, ` +
      `${breaches.length} wrong; the next answer on the connection right each time`,
    peers: [],
    breaches,
  };
};
