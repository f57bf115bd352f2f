import type { IncomingHttpHeaders } from "node:http";
import type { ArtifactInfo } from "./artifact.ts";
import type { ArtifactUrn } from "./artifact-urn.ts";

/** Parses the headers of `HEAD /artifacts/{id}`: `X-Name` (base64), `Content-Type`, `Repr-Digest`, `X-Status`. */
export function readArtifactInfo(urn: ArtifactUrn, headers: IncomingHttpHeaders): ArtifactInfo {
  const length = headers["content-length"];
  const digest = /(?:^|,)\s*sha-256=:([A-Za-z0-9+/]{43}=):/.exec(text(headers["repr-digest"]) ?? "")?.[1];
  const name = text(headers["x-name"]);
  return {
    urn,
    name: name === undefined ? undefined : Buffer.from(name, "base64").toString("utf8"),
    contentType: headers["content-type"],
    size: length !== undefined && /^\d{1,15}$/.test(length) ? Number(length) : undefined,
    sha256: digest === undefined ? undefined : Buffer.from(digest, "base64").toString("hex"),
    status: text(headers["x-status"]),
  };
}

function text(header: string | string[] | undefined): string | undefined {
  return typeof header === "string" ? header : header?.[0];
}
