import type { Row } from "./figure.ts";

/** A measured program, one sample per round. */
export interface Contender<Quantity extends string> {
  readonly name: string;
  /** Does the work once and returns its cost, for example `{ wall: 12.5, memory: 80 }`. */
  readonly sample: () => Promise<Readonly<Record<Quantity, number>>> | Readonly<Record<Quantity, number>>;
  /** Slow enough that one round without a warm-up must suffice. */
  readonly isSlow?: boolean;
}

export interface Rounds {
  readonly rounds: number;
  /** Number of rounds before the measurement; default 1. */
  readonly warmups?: number;
  /** Called before each round, to show progress. */
  readonly onRound?: (round: number) => unknown;
}

/** The samples of all rounds. */
export interface Samples<Quantity extends string> {
  rows(quantity: Quantity): readonly Row[];
  median(quantity: Quantity, contender: string): number;
  /** @param part 0.95 for the value that nineteen of twenty samples stay below */
  quantile(quantity: Quantity, contender: string, part: number): number;
  /** Median of the ratios of all rounds: other load on the machine affects both sides of a round. */
  ratio(quantity: Quantity, contender: string, reference: string): number;
  /** Median of the differences of all rounds. */
  difference(quantity: Quantity, contender: string, reference: string): number;
}

/** Runs the contenders in turn; each round begins with another one. */
export async function interleave<Quantity extends string>(
  contenders: readonly Contender<Quantity>[],
  { rounds, warmups = 1, onRound }: Rounds,
): Promise<Samples<Quantity>> {
  const samples = new Map(contenders.map(({ name }) => [name, [] as Readonly<Record<Quantity, number>>[]]));
  for (let round = -warmups; round < rounds; round++) {
    onRound?.(round);
    const first = (round + warmups) % contenders.length;
    for (const { name, sample, isSlow } of [...contenders.slice(first), ...contenders.slice(0, first)]) {
      if (isSlow === true && round !== 0) continue;
      const taken = await sample();
      if (round >= 0) samples.get(name)?.push(taken);
    }
  }
  const values = (quantity: Quantity, contender: string): readonly number[] => {
    const taken = samples.get(contender);
    if (taken === undefined) throw new Error(`There is no contender ${contender}.`);
    return taken.map((one) => one[quantity]);
  };
  const compare = (
    quantity: Quantity,
    contender: string,
    reference: string,
    combine: (one: number, other: number) => number,
  ): number => {
    const [ones, others] = [values(quantity, contender), values(quantity, reference)];
    // A slow contender has one sample.
    if (ones.length !== others.length) return combine(summarise(ones).median, summarise(others).median);
    return summarise(ones.map((one, round) => combine(one, others[round] ?? Number.NaN))).median;
  };
  return {
    rows: (quantity) => contenders.map(({ name }) => ({ contender: name, ...summarise(values(quantity, name)) })),
    median: (quantity, contender) => summarise(values(quantity, contender)).median,
    quantile: (quantity, contender, part) => quantile(values(quantity, contender), part),
    ratio: (quantity, contender, reference) => compare(quantity, contender, reference, (one, other) => one / other),
    difference: (quantity, contender, reference) =>
      compare(quantity, contender, reference, (one, other) => one - other),
  };
}

/** Median, and half the width of the middle half. */
export function summarise(values: readonly number[]): { readonly median: number; readonly spread: number } {
  return { median: quantile(values, 0.5), spread: (quantile(values, 0.75) - quantile(values, 0.25)) / 2 };
}

function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const place = (sorted.length - 1) * part;
  const [below = Number.NaN, above = below] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  return below + (above - below) * (place - Math.floor(place));
}
