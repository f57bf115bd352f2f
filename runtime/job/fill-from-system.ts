/**
 * Fills a buffer with random bytes that nobody can guess. They come from the system's own device: `node:crypto`, which
 * does the rest, takes longer to load than a first request takes.
 */
export function fillFromSystem(bytes: Buffer, device: string = "/dev/urandom"): void {
  if (!fillFromDevice(bytes, device)) process.getBuiltinModule("node:crypto").randomFillSync(bytes);
}

/** False where there is no such device, where it may not be read, or where it gives less than was asked for. */
function fillFromDevice(bytes: Buffer, device: string): boolean {
  const { closeSync, fstatSync, openSync, readSync } = process.getBuiltinModule("node:fs");
  let file: number;
  try {
    file = openSync(device, "r");
  } catch {
    return false;
  }
  try {
    // A file that somebody has put into its place would give the same ids to every process.
    return fstatSync(file).isCharacterDevice() && readSync(file, bytes) === bytes.length;
  } catch {
    return false;
  } finally {
    closeSync(file);
  }
}
