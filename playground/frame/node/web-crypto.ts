import { sha256 } from "../../sha256.ts";

const missing = {
  randomUUID(): string {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
    bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
    const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    return digits.replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, "$1-$2-$3-$4-$5");
  },
  subtle: {
    async digest(algorithm: string, data: Uint8Array): Promise<ArrayBuffer> {
      if (algorithm !== "SHA-256") throw new Error(`The playground has SHA-256 alone, and not ${algorithm}.`);
      return sha256(data).buffer;
    },
  },
};

/**
 * Adds to the frame's worker what Node has, and browsers only in secure contexts: the frame has an opaque origin, which
 * is not one.
 */
export function addWebCrypto(): void {
  for (const [name, value] of Object.entries(missing)) {
    if (Reflect.get(crypto, name) === undefined) Object.defineProperty(crypto, name, { value });
  }
}
