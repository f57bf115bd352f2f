import type { Chance } from "../chaos/chance.ts";
import { against, type Attack, type Contender } from "./attack.ts";
import { damage } from "./canary.ts";
import { randomBodies, randomHeads } from "./random-bytes.ts";
import { countOf, emptyTally, sendAll, type Tally } from "./wire.ts";

/** Random bodies, pipelined, and in one of 200 cases a random head on a connection of its own. */
export const attackAtRandom: Attack = async ({ tenon, peers, size, chance, log }) => {
  const ours = await flood(tenon, size.requests, chance(), log);
  const theirs: string[] = [];
  const share = Math.ceil(size.requests / 20);
  for (const peer of peers) {
    const found = await flood(peer, share, chance(), log);
    const sent = found.bodies.sent + found.bodies.unanswered;
    theirs.push(`${peer.name}, ${sent.toLocaleString("en")} of them: ${told(found)}`);
  }
  return {
    attack: "Random requests: valid ones with bytes, values, keys and messages changed",
    inputs: `${(ours.bodies.sent + ours.bodies.unanswered).toLocaleString("en")} bodies, ${ours.heads.toLocaleString("en")} heads`,
    result: told(ours),
    peers: theirs,
    breaches: [
      ...ours.bodies.examples,
      ...ours.harm,
      ...(ours.bodies.slowest > size.answerWithin ? ["a request waited too long for its answer"] : []),
      ...(ours.grown > 100 ? [`memory grew by ${ours.grown.toFixed(0)} MB`] : []),
    ],
  };
};

interface Flooded {
  readonly bodies: Tally;
  readonly heads: number;
  readonly harm: readonly string[];
  /** Megabytes, from after the first tenth to the end. */
  readonly grown: number;
}

function told({ bodies, harm, grown }: Flooded): string {
  const some = [2, 4, 5].map((digit) => `${countOf(bodies, digit).toLocaleString("en")} × ${digit}xx`);
  return [
    ...some,
    `${bodies.unanswered} without an answer`,
    `the slowest within ${bodies.slowest.toFixed(0)} ms`,
    `${grown > 0 ? "+" : ""}${grown.toFixed(0)} MB`,
    ...harm,
  ].join(", ");
}

async function flood(
  contender: Contender,
  count: number,
  chance: Chance,
  log: (text: string) => void,
): Promise<Flooded> {
  return against(contender, {}, async (target) => {
    const bodies = emptyTally();
    const heads = emptyTally();
    const parts = 10;
    let first = 0;
    for (let part = 0; part < parts; part++) {
      const many = Math.ceil(count / parts);
      await sendAll(target.port, randomBodies(contender, Math.ceil(many * 0.995), chance), bodies, {
        milliseconds: 10_000,
        patience: 50,
      });
      await sendAll(target.port, randomHeads(contender, Math.floor(many * 0.005), chance), heads, {
        connections: 16,
        depth: 1,
        milliseconds: 300,
      });
      if (target.ended !== undefined) break;
      if (part === 0) first = (await target.memory()) ?? 0;
      log(`${contender.name}: ${bodies.sent.toLocaleString("en")} requests`);
    }
    const grown = ((await target.memory()) ?? first) - first;
    // A head that says less than it sends leaves nothing to answer; a 5xx is wrong all the same.
    const wrong = heads.examples.filter((text) => /^5(?!01|05)/.test(text));
    bodies.examples.push(...wrong);
    return { bodies, heads: heads.sent + heads.unanswered, harm: await damage(contender, target), grown };
  });
}
