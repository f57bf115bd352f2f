import { readFileSync } from "node:fs";
import { extname } from "node:path";

const types: Readonly<Record<string, string>> = {
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".gif": "image/gif",
  ".webp": "image/webp",
  ".avif": "image/avif",
  ".svg": "image/svg+xml",
  ".ico": "image/x-icon",
  ".mp3": "audio/mpeg",
  ".ogg": "audio/ogg",
  ".wav": "audio/wav",
  ".mp4": "video/mp4",
  ".webm": "video/webm",
  ".woff": "font/woff",
  ".woff2": "font/woff2",
  ".ttf": "font/ttf",
  ".otf": "font/otf",
};

/** Extensions of the files that a view embeds as `data:` addresses. */
export const assetEndings: readonly string[] = Object.keys(types);

/**
 * Converts a file to a `data:` address; undefined if the file cannot be read, or is not a picture, sound, film or font.
 */
export function dataAddress(file: string): string | undefined {
  const type = types[extname(file).toLowerCase()];
  try {
    return type === undefined ? undefined : `data:${type};base64,${readFileSync(file, "base64")}`;
  } catch {
    return undefined;
  }
}
