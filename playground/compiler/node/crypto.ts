/** Stand-in for the part of `node:crypto` that the plugin uses: SHA-256 of a text. */
import { sha256 } from "../../sha256.ts";

interface Hash {
  update(text: string): Hash;
  digest(encoding: "base64url" | "hex"): string;
}

export function createHash(_algorithm: "sha256"): Hash {
  let whole = "";
  const hash: Hash = {
    update(text) {
      whole += text;
      return hash;
    },
    digest: (encoding) => encoded(sha256(new TextEncoder().encode(whole)), encoding),
  };
  return hash;
}

export function hash(algorithm: "sha256", text: string, encoding: "base64url" | "hex"): string {
  return createHash(algorithm).update(text).digest(encoding);
}

function encoded(bytes: Uint8Array, encoding: "base64url" | "hex"): string {
  if (encoding === "hex") return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
}

/** The cache on disk, which the playground has not, names its files by it. */
export { absent as randomBytes } from "./absent.ts";
