/** @schema urn:example:schema.codecs.1 */
export interface Request {
  date: Date;
  url: URL;
  big: bigint;
  bytes: Uint8Array;
  buffer: Buffer;
  dates: Date[];
  maybe?: Date | null;
  /** @default 2024-01-01T00:00:00Z */
  since?: Date;
  /** @default "12" */
  limit?: bigint;
  range: [from: Date, to?: Date];
  dateOrWord: Date | "now";
  bigOrNumber: bigint | number;
  bytesOrNull: Uint8Array | null;
}

/**
 * Takes codecs.
 * @tool
 */
export function take(request: Request): void {
  void request;
}
