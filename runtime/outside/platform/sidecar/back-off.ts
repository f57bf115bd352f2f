const shortest = 1000;
/** Longest pause in milliseconds that a server can ask for. */
export const longestPause = 30_000;

/**
 * Milliseconds to wait after consecutive failures: 1 to 2 s after the first, doubled after each further one, at most 30
 * s. The random part keeps workers that failed together from retrying together.
 * @param asked Milliseconds from the server's `Retry-After`; used if longer, up to 30 s
 */
export function backOff(failures: number, random: () => number, asked = 0): number {
  const ceiling = Math.min(longestPause, shortest * 2 ** Math.max(1, failures));
  const wait = ceiling / 2 + (random() * ceiling) / 2;
  return Math.round(Math.min(longestPause, Math.max(wait, asked)));
}

/** True for failures of a row that are logged: the first, the eighth (after a minute or two), then ever more rarely. */
export function isLogged(failures: number): boolean {
  return failures === 1 || (failures >= 8 && Number.isInteger(Math.log2(failures)));
}

/** Milliseconds of a `Retry-After` header in seconds; undefined for a date or any other text. */
export function retryAfter(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,6}(?:\.\d{1,3})?$/.test(header.trim()) ? Number(header) * 1000 : undefined;
}
