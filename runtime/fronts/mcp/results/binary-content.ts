import { collectResult } from "../../../job/result-stream.ts";
import type { JobResult } from "../../../job/job.ts";
import type { McpContent } from "../port/answers.ts";

type BinaryResult = Extract<JobResult, { kind: "binary" }>;

/**
 * Converts a binary result into the content block for its type: text that a model can read, image, audio, or an
 * embedded resource for everything else.
 *
 * @param uri Address of the embedded resource.
 * @throws errors of the result's stream, and `ToolError` when the stream is too long
 */
export async function binaryContent(result: BinaryResult, uri: string): Promise<McpContent> {
  const type = parseContentType(result.contentType);
  const text = isText(type.essence);
  if (text && typeof result.content === "string") return { type: "text", text: result.content };
  const bytes = await readContent(result);
  if (text) {
    const decoded = decode(bytes, type.charset);
    if (decoded !== undefined) return { type: "text", text: decoded };
  }
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
  if (type.essence.startsWith("image/")) return { type: "image", data, mimeType: type.essence };
  if (type.essence.startsWith("audio/")) return { type: "audio", data, mimeType: type.essence };
  return { type: "resource", resource: { uri, mimeType: type.essence, blob: data } };
}

function parseContentType(value: string): { readonly essence: string; readonly charset: string } {
  const [essence = "", ...parameters] = value.split(";").map((part) => part.trim());
  const charset = parameters.find((parameter) => /^charset=/i.test(parameter))?.slice("charset=".length);
  return {
    essence: essence === "" ? "application/octet-stream" : essence.toLowerCase(),
    charset: charset === undefined ? "utf-8" : charset.replaceAll('"', ""),
  };
}

/**
 * True for text. SVG counts as text: models read it as XML, and hosts refuse whole conversations over an image type
 * they cannot show.
 */
function isText(essence: string): boolean {
  return (
    essence.startsWith("text/") ||
    essence.endsWith("+json") ||
    essence.endsWith("+xml") ||
    /^application\/(?:json|ld\+json|(?:x-)?ndjson|jsonl|xml|yaml|x-yaml|toml|javascript|ecmascript|sql|graphql|rtf)$/.test(
      essence,
    )
  );
}

function decode(bytes: Uint8Array, charset: string): string | undefined {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch {
    // Text in an unknown character set, or with bytes that are invalid in its character set, is sent as a blob.
    return undefined;
  }
}

async function readContent(result: BinaryResult): Promise<Uint8Array> {
  const collected = await collectResult(result);
  const content = collected.kind === "binary" ? collected.content : "";
  // Content is not a stream here, since `collectResult` has replaced every stream.
  return content instanceof Uint8Array ? content : Buffer.from(content as string, "utf8");
}
