import { crc32, deflateSync } from "node:zlib";

/** A picture of at most 256 colours. */
export interface IndexedImage {
  readonly width: number;
  readonly height: number;
  /** Position in the palette of each pixel, row by row. */
  readonly pixels: Uint8Array;
  /** Colours as `#rrggbb`. */
  readonly palette: readonly string[];
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const depth = 8;
const indexed = 3;

/** The picture as a PNG file, with an optional comment in Latin-1 text. */
export function encodePng(image: IndexedImage, comment?: string): Uint8Array {
  const { width, height, pixels, palette } = image;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([depth, indexed, 0, 0, 0], 8);

  // Each row begins with its filter; filters do not pay for indexed colours, so it is always 0.
  const rows = new Uint8Array((width + 1) * height);
  for (let y = 0; y < height; y++) rows.set(pixels.subarray(y * width, (y + 1) * width), y * (width + 1) + 1);

  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("PLTE", Buffer.from(palette.map((colour) => colour.slice(1)).join(""), "hex")),
    ...(comment === undefined ? [] : [chunk("tEXt", Buffer.from(`Comment\0${comment}`, "latin1"))]),
    chunk("IDAT", deflateSync(rows, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** Length, type, data and the checksum of the last two. */
function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const frame = Buffer.alloc(4 + body.length + 4);
  frame.writeUInt32BE(data.length, 0);
  frame.set(body, 4);
  frame.writeUInt32BE(crc32(body), 4 + body.length);
  return frame;
}
