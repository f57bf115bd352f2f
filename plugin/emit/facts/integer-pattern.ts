/**
 * Makes a pattern for the texts of all integers within inclusive bounds, so that the schema of a bigint accepts the
 * same values as its validator. Each alternative has a fixed number of digits, or a fixed beginning followed by any
 * digits, so matching takes linear time.
 */
export function integerPattern(minimum: string | undefined, maximum: string | undefined): string {
  const low = minimum === undefined ? undefined : BigInt(minimum);
  const high = maximum === undefined ? undefined : BigInt(maximum);
  const parts: string[] = [];
  if (low === undefined || low < 0n) {
    // Negative integers get patterns for their amounts, with a sign in front.
    const nearest = high !== undefined && high < 0n ? -high : 1n;
    const farthest = low === undefined ? undefined : -low;
    parts.push(...amounts(nearest, farthest).map((part) => `-${part}`));
  }
  const isZeroIn = (low === undefined || low <= 0n) && (high === undefined || high >= 0n);
  if (isZeroIn) parts.push("0");
  if (high === undefined || high > 0n) parts.push(...amounts(low !== undefined && low > 1n ? low : 1n, high));
  return `^(?:${parts.join("|")})$`;
}

/** Returns patterns for the positive integers from `from` to `to`, or without an upper bound. */
function amounts(from: bigint, to: bigint | undefined): readonly string[] {
  const parts: string[] = [];
  let start = from;
  const isDone = (): boolean => to !== undefined && start > to;
  while (!isDone()) {
    const { length } = String(start);
    if (start === 10n ** BigInt(length - 1)) {
      // Without an upper bound, all longer integers match.
      if (to === undefined) return [...parts, `[1-9]${anyDigits(length - 1, Infinity)}`];
      const longest = to === 10n ** BigInt(String(to).length) - 1n ? String(to).length : String(to).length - 1;
      if (longest >= length) {
        parts.push(`[1-9]${anyDigits(length - 1, longest - 1)}`);
        start = 10n ** BigInt(longest);
        continue;
      }
    }
    const last = 10n ** BigInt(length) - 1n;
    const end = to === undefined || last < to ? last : to;
    parts.push(...sameLength(String(start), String(end)));
    start = end + 1n;
  }
  return parts;
}

/** Returns patterns for the integers between two integers with the same number of digits. */
function sameLength(from: string, to: string): readonly string[] {
  const [first = "", ...restFrom] = from;
  const [last = "", ...restTo] = to;
  const [low, high] = [restFrom.join(""), restTo.join("")];
  if (low === "") return [digits(first, last)];
  if (first === last) return sameLength(low, high).map((part) => first + part);
  const isFromFull = /^0*$/.test(low);
  const isToFull = /^9*$/.test(high);
  const parts: string[] = [];
  if (!isFromFull) parts.push(...sameLength(low, "9".repeat(low.length)).map((part) => first + part));
  const [between, beyond] = [isFromFull ? first : after(first, 1), isToFull ? last : after(last, -1)];
  if (between <= beyond) parts.push(`${digits(between, beyond)}${anyDigits(low.length, low.length)}`);
  if (!isToFull) parts.push(...sameLength("0".repeat(high.length), high).map((part) => last + part));
  return parts;
}

function after(digit: string, step: number): string {
  return String(Number(digit) + step);
}

function digits(from: string, to: string): string {
  return from === to ? from : `[${from}-${to}]`;
}

function anyDigits(least: number, most: number): string {
  if (most === 0) return "";
  if (least === most) return least === 1 ? "[0-9]" : `[0-9]{${least}}`;
  return most === Infinity ? `[0-9]{${least},}` : `[0-9]{${least},${most}}`;
}
