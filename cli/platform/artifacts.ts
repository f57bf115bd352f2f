import { createReadStream, createWriteStream } from "node:fs";
import { basename } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as WebStream } from "node:stream/web";
import { formatBytes, printContent, printJson, printRow, refuseTerminal, say } from "../base/output.ts";
import { UsageError, withArguments, type Arguments, type CommandHelp } from "../base/usage.ts";
import type { Item } from "../base/item-list.ts";
import { askItem, askOptions, asker, listItems, type Ask } from "./ask.ts";
import { checkFile, checkWritable } from "./files.ts";

export const help: CommandHelp = {
  usage: "tenon platform artifacts [urn] [options]",
  summary:
    "Lists stored files; with a URN its content goes to standard output or to a file. With --upload a file is stored.",
  options: {
    ...askOptions,
    out: { type: "string", short: "o", value: "FILE", help: "where the content goes" },
    upload: { type: "string", value: "FILE", help: "store this file, and print its URN" },
    name: { type: "string", value: "NAME", help: "name of the stored file, default its own" },
    type: { type: "string", value: "TYPE", help: "its content type, default application/octet-stream" },
    limit: { type: "string", value: "N", help: "how many at most, default 20" },
  },
  examples: [
    "tenon platform artifacts --upload paper.docx",
    "tenon platform artifacts urn:platform:artifact:… -o paper.md",
  ],
};

export function run(words: readonly string[]): Promise<number> {
  return withArguments(words, help, 1, carryOut);
}

async function carryOut(given: Arguments): Promise<number> {
  const ask = asker(given);
  const [urn] = given.positionals;
  const file = given.text("upload");
  if (file !== undefined) {
    const stored = await upload(ask, file, given.text("name"), given.text("type"));
    if (given.flag("json")) printJson(stored);
    else printRow(String(stored["id"]));
    return 0;
  }
  if (urn !== undefined) {
    await download(ask, urn, given.text("out"));
    return 0;
  }
  const limit = Number(given.text("limit") ?? 20);
  if (!Number.isSafeInteger(limit) || limit < 1) throw new UsageError("--limit must be a whole number from 1");
  const found: Item[] = [];
  for await (const artifact of listItems(ask, "/artifacts", limit)) found.push(artifact);
  if (given.flag("json")) printJson(found);
  else if (found.length === 0) say("There are no artifacts.");
  else for (const artifact of found) printRow(rowOf(artifact));
  return 0;
}

async function upload(ask: Ask, file: string, name = basename(file), type = "application/octet-stream"): Promise<Item> {
  checkFile(file);
  return askItem(ask, "/artifacts", {
    method: "POST",
    headers: { "content-type": type, "x-name": Buffer.from(name).toString("base64") },
    body: Readable.toWeb(createReadStream(file)) as ReadableStream<Uint8Array>,
    duplex: "half",
  } as RequestInit);
}

async function download(ask: Ask, urn: string, out: string | undefined): Promise<void> {
  const { body, headers } = await ask(`/artifacts/${encodeURIComponent(urn)}`);
  if (body === null) return;
  const type = headers.get("content-type") ?? "application/octet-stream";
  try {
    if (out === undefined && !/^(?:text\/|application\/(?:[\w.-]+\+)?json\b)/.test(type))
      refuseTerminal(`The artifact is ${type}`);
    // Checks the output file now that there is data to write, since the check creates the file.
    if (out !== undefined) checkWritable(out);
  } catch (error) {
    // The body is cancelled, since an unread body would keep its connection open.
    await body.cancel();
    throw error;
  }
  const content: AsyncIterable<Uint8Array> = Readable.fromWeb(body as WebStream<Uint8Array>);
  if (out === undefined) await printContent(content);
  else await pipeline(content, createWriteStream(out));
}

function rowOf({ id, name, status, size, "content-type": type }: Item): string {
  const length = typeof size === "number" ? formatBytes(size) : "?";
  return `${String(id)}  ${String(status).padEnd(8)}${length.padEnd(11)}${String(type)}  ${JSON.stringify(name)}`;
}
