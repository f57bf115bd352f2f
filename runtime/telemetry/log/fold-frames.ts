/** Folder of the running package, or of the chunks that a build made from it. */
const ours = import.meta.url.replace(
  /(?:runtime\/(?:telemetry\/log|grouped\/chunks|grouped\/telemetry\/log)\/)?[^/]*$/,
  "",
);

/**
 * Replaces stack frames of Node, of packages and of tenon by a line with their number. A stack with only such frames
 * stays unchanged, unless tenon has made its error.
 */
export function foldFrames(text: string): string {
  const lines = text.split("\n");
  const frames = lines.filter(isFrame);
  if (frames.every(isForeign) && !isOurs(frames[0] ?? "")) return text;
  const folded: string[] = [];
  let count = 0;
  const flush = (): void => {
    if (count > 0) folded.push(`    … ${count} ${count === 1 ? "call" : "calls"} of packages`);
    count = 0;
  };
  for (const line of lines) {
    if (isFrame(line) && isForeign(line)) {
      count++;
      continue;
    }
    flush();
    folded.push(line);
  }
  flush();
  return folded.join("\n");
}

function isFrame(line: string): boolean {
  return /^\s+at /.test(line);
}

/** True for a line or a path that names code of Node, of a package, or of tenon and its builds. */
export function isForeign(line: string): boolean {
  return (
    /\bnode:|[\\/](?:node_modules|\.tenon)[\\/]|^\s+at (?:async )?(?:new )?[\w.<># ]+ \(<anonymous>\)$/.test(line) ||
    isOurs(line)
  );
}

function isOurs(line: string): boolean {
  return line.includes(ours) || line.includes(ours.replace("file://", ""));
}
