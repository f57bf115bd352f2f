import { isUtf8 } from "node:buffer";
import { ToolError } from "../../../runtime/base/errors.ts";
import { inertHeaders } from "../../../runtime/fronts/http/inert-headers.ts";
import type { StoredArtifact } from "../stored/artifact-store.ts";
import type { Exchange } from "./exchange.ts";

/** Headers for a response that contains or describes an artifact. */
export function infoHeaders({ id, name, type, sha256, status }: StoredArtifact): readonly string[] {
  const isKnown = status === "ready" && sha256 !== null;
  const digest = !isKnown ? [] : ["Repr-Digest", `sha-256=:${Buffer.from(sha256, "hex").toString("base64")}:`];
  const common = ["X-Name", Buffer.from(name).toString("base64"), "X-Status", status, "X-Id", id, ...digest];
  // These headers keep a stored page from being executed with the origin of the platform.
  return ["Content-Type", type, ...inertHeaders(type), "Accept-Ranges", "bytes", ...common];
}

/** Returns `X-Name`; default "artifact". */
export function nameOf(exchange: Exchange): string {
  const text = exchange.header("x-name");
  if (text === undefined) return "artifact";
  // The protocol encodes names as base64, but people who use curl may send a plain name.
  const decoded = Buffer.from(text, "base64");
  const isBase64 = decoded.toString("base64").replaceAll("=", "") === text.replaceAll("=", "");
  return isBase64 && isUtf8(decoded) ? decoded.toString() : text;
}

/** Parses a header that counts bytes. Throws `bad-request`. */
export function lengthOf(exchange: Exchange, header: string): number | undefined {
  const text = exchange.header(header);
  if (text === undefined) return undefined;
  if (!/^\d{1,15}$/.test(text)) throw new ToolError("bad-request", `The header ${header} must be a number of bytes.`);
  return Number(text);
}

/** Returns the SHA-256 in `Repr-Digest`, hexadecimal; digests of other kinds are ignored. Throws `bad-request`. */
export function reprDigest(exchange: Exchange): string | undefined {
  const members = exchange.header("repr-digest")?.split(",") ?? [];
  let sha256: string | undefined;
  for (const member of members) {
    const [, kind, text = ""] = /^\s*([a-z*][\w.*-]*)=:([A-Za-z0-9+/]+={0,2}):\s*$/.exec(member) ?? [];
    const digest = Buffer.from(text, "base64");
    if (kind === undefined || (kind === "sha-256" && digest.length !== 32))
      throw new ToolError("bad-request", "Repr-Digest must be sha-256=:DIGEST: with a digest in base64.");
    if (kind === "sha-256") sha256 = digest.toString("hex");
  }
  return sha256;
}

/** Returns the SHA-256 in `Upload-Checksum`, hexadecimal. Throws `bad-request`. */
export function checksumOf(exchange: Exchange): string | undefined {
  const header = exchange.header("upload-checksum");
  if (header === undefined) return undefined;
  const text = /^sha256 ([A-Za-z0-9+/]{43}=)$/.exec(header)?.[1];
  if (text === undefined) throw new ToolError("bad-request", "Upload-Checksum must be sha256 and a digest in base64.");
  return Buffer.from(text, "base64").toString("hex");
}

/** Returns the first and the last byte of `Range`. Undefined: the whole content. Null: the range is not satisfiable. */
export function rangeOf(
  header: string | undefined,
  size: number,
): { readonly start: number; readonly end: number } | null | undefined {
  const [, first = "", last = ""] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? "") ?? [];
  if (first === "" && last === "") return undefined;
  const start = first === "" ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === "" || last === "" ? size - 1 : Math.min(Number(last), size - 1);
  return start > end ? null : { start, end };
}
