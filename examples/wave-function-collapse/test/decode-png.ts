import { crc32, inflateSync } from "node:zlib";

export interface DecodedPng {
  readonly width: number;
  readonly height: number;
  readonly colours: number;
  readonly comment: string | undefined;
  readonly pixels: Uint8Array;
}

/** Reads a PNG of indexed colours; every length and checksum must be right. */
export function decodePng(png: Uint8Array): DecodedPng {
  const file = Buffer.from(png);
  if (file.toString("latin1", 0, 8) !== "\x89PNG\r\n\x1a\n") throw new Error("no PNG signature");
  const chunks = new Map<string, Buffer>();
  let offset = 8;
  while (offset < file.length) {
    const length = file.readUInt32BE(offset);
    const body = file.subarray(offset + 4, offset + 8 + length);
    if (crc32(body) !== file.readUInt32BE(offset + 8 + length)) throw new Error(`wrong checksum at ${offset}`);
    chunks.set(body.toString("latin1", 0, 4), body.subarray(4));
    offset += 12 + length;
  }
  const [header, palette, data] = [chunks.get("IHDR"), chunks.get("PLTE"), chunks.get("IDAT")];
  if (header === undefined || palette === undefined || data === undefined || [...chunks.keys()].at(-1) !== "IEND") {
    throw new Error(`chunks are ${[...chunks.keys()].join(", ")}`);
  }
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  if (!header.subarray(8).equals(Buffer.from([8, 3, 0, 0, 0]))) throw new Error("not 8 bits of indexed colour");
  const rows = inflateSync(data);
  if (rows.length !== (width + 1) * height) throw new Error("wrong amount of pixels");
  const pixels = rows.filter((_, index) => index % (width + 1) !== 0);
  const comment = chunks.get("tEXt")?.toString("latin1").split("\0")[1];
  return { width, height, colours: palette.length / 3, comment, pixels };
}
