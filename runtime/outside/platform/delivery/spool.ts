import type FileSystem from "node:fs/promises";
import { join } from "node:path";
import type { JobEvent } from "../../../job/job.ts";
import type { ResultRequest } from "./result-request.ts";

const extension = ".result";
const unfinished = ".tmp";
/** Characters of a piece that is written. */
const pieceSize = 64 * 1024;
/** Milliseconds after which a process that was writing a file has ended. */
const longestWrite = 3_600_000;

/** Loaded on first use: it takes 2 ms, which most starts need not spend. */
const files = (): typeof FileSystem => process.getBuiltinModule("node:fs/promises");

/** A result saved on disk. */
export interface Spooled {
  readonly file: string;
  /** Removes the file, after delivery or when the platform no longer wants the result. */
  remove(): Promise<void>;
  /** Sets aside a result that the sidecar refuses: the file is kept for people, and not sent again. */
  setAside(): Promise<void>;
}

/** A result on disk, with its content. */
export interface SavedResult extends Spooled {
  readonly request: ResultRequest;
  /** The events of the job that had not been delivered when the result was saved, in order. */
  readonly events: readonly JobEvent["body"][];
}

/**
 * Folder of undelivered results, one file each: a line of JSON, then the body. Files are written atomically, and
 * readable by their owner only, since they hold the token that delivers them.
 */
export interface Spool {
  readonly folder: string;
  save(request: ResultRequest, events?: SavedResult["events"]): Promise<Spooled>;
  /** Files of all saved results, the oldest first. Removes what killed processes have left half-written. */
  list(): Promise<readonly string[]>;
  /**
   * Reads a saved result. Undefined if the file is gone, because another process that shares the folder has delivered
   * the result, or if it is unreadable: such a file is renamed and reported.
   */
  read(file: string, onUnreadable: (file: string) => void): Promise<SavedResult | undefined>;
}

/** Opens the spool in a folder. The folder is created for the first result. */
export function openSpool(folder: string): Spool {
  let count = 0;
  return {
    folder,
    async save(request, events = []) {
      await files().mkdir(folder, { recursive: true, mode: 0o700 });
      const name = `${String(Date.now()).padStart(15, "0")}-${process.pid}-${String(++count).padStart(6, "0")}`;
      const file = join(folder, `${name}${extension}`);
      await writeWhole(join(folder, `${name}${unfinished}`), file, { request, events });
      return spooled(file);
    },
    list: async () => (await list(folder)).map((name) => join(folder, name)),
    async read(file, onUnreadable) {
      const bytes = await files()
        .readFile(file)
        .catch(() => undefined);
      if (bytes === undefined) return undefined;
      const content = parse(bytes);
      if (content !== undefined) return { ...spooled(file), ...content };
      await files()
        .rename(file, `${file}.unreadable`)
        .catch(() => {});
      onUnreadable(file);
      return undefined;
    },
  };
}

function spooled(file: string): Spooled {
  return {
    file,
    remove: () => files().rm(file, { force: true }),
    setAside: () =>
      files()
        .rename(file, `${file}.refused`)
        .catch(() => {}),
  };
}

type Content = Pick<SavedResult, "request" | "events">;

async function writeWhole(temporary: string, file: string, { request, events }: Content): Promise<void> {
  const { body, ...head } = request;
  const handle = await files().open(temporary, "wx", 0o600);
  try {
    try {
      await handle.writeFile(firstLine({ version: 1, ...head, bytes: body.byteLength }, events));
      await handle.writeFile(body);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await files().rename(temporary, file);
  } catch (error) {
    await files()
      .rm(temporary, { force: true })
      .catch(() => {});
    throw error;
  }
}

/** Yields the line of JSON in pieces, since that of all events could be longer than a string can be. */
function* firstLine(head: object, events: SavedResult["events"]): Generator<string, void, undefined> {
  let piece = `${JSON.stringify(head).slice(0, -1)},"events":[`;
  for (const [index, event] of events.entries()) {
    piece += (index === 0 ? "" : ",") + JSON.stringify(event);
    if (piece.length < pieceSize) continue;
    yield piece;
    piece = "";
  }
  yield `${piece}]}\n`;
}

async function list(folder: string): Promise<readonly string[]> {
  const names = await files()
    .readdir(folder)
    .catch(() => []);
  for (const name of names) {
    // The name begins with the time. Other processes may be writing their files now.
    const isLeft = name.endsWith(unfinished) && Date.now() - Number(name.slice(0, 15)) > longestWrite;
    if (isLeft)
      await files()
        .rm(join(folder, name), { force: true })
        .catch(() => {});
  }
  return names.filter((name) => name.endsWith(extension)).toSorted();
}

function parse(bytes: Buffer): Content | undefined {
  const end = bytes.indexOf("\n");
  try {
    const head = JSON.parse(bytes.toString("utf8", 0, Math.max(end, 0))) as Record<string, unknown>;
    // Files of earlier versions have no events.
    const { id, headers, isError, contentType, events = [] } = head;
    const body = bytes.subarray(end + 1);
    if (head["version"] !== 1 || head["bytes"] !== body.length) return undefined;
    if (typeof id !== "string" || typeof isError !== "boolean" || typeof contentType !== "string") return undefined;
    if (typeof headers !== "object" || headers === null || Array.isArray(headers)) return undefined;
    if (!Object.values(headers).every((value) => typeof value === "string")) return undefined;
    if (!Array.isArray(events) || !events.every((event) => typeof event === "object" && event !== null))
      return undefined;
    return { request: { id, headers: headers as Record<string, string>, isError, contentType, body }, events };
  } catch {
    return undefined;
  }
}
