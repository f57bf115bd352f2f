/** Stand-in for modules that the plugin loads and the playground never calls: processes, threads, compression. */
export function absent(): never {
  throw new Error("The playground does not have this.");
}

export {
  absent as spawnSync,
  absent as deflateRawSync,
  absent as inflateRawSync,
  absent as gunzipSync,
  absent as gzipSync,
  absent as crc32,
  absent as bundleView,
  absent as readSkills,
};

export const isMainThread = true;
export const threadId = 0;
export const constants = {};

export function setFlagsFromString(): void {}
