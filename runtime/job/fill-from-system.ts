/**
 * Fills a buffer with unpredictable bytes from the system's random device. The fallback `node:crypto` takes longer to
 * load than a first request takes.
 */
export function fillFromSystem(bytes: Buffer, device: string = "/dev/urandom"): void {
  if (!fillFromDevice(bytes, device)) process.getBuiltinModule("node:crypto").randomFillSync(bytes);
}

/** Returns false when there is no such device, it may not be read, or it gives fewer bytes than requested. */
function fillFromDevice(bytes: Buffer, device: string): boolean {
  const { closeSync, fstatSync, openSync, readSync } = process.getBuiltinModule("node:fs");
  let file: number;
  try {
    file = openSync(device, "r");
  } catch {
    return false;
  }
  try {
    // A regular file in its place would give the same ids to every process.
    return fstatSync(file).isCharacterDevice() && readSync(file, bytes) === bytes.length;
  } catch {
    return false;
  } finally {
    closeSync(file);
  }
}
