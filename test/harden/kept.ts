import { against, type Attack } from "./attack.ts";
import { damage } from "./canary.ts";
import { countOf, emptyTally, framed, sendAll } from "./wire.ts";

/** Megabytes that the process may take for what it keeps, and because it is busy. */
const goal = 150;
/** Milliseconds for the answer to any of the calls. */
const patience = 10_000;

/** Calls with ids, each of which leaves a job that anybody could ask for again. */
export const attackWithKept: Attack = async ({ tenon, size }) => {
  const { requests } = size;
  const tally = emptyTally();
  const { most, harm } = await against(tenon, {}, async (target) => {
    const before = (await target.memory()) ?? 0;
    let highest = 0;
    for (let sent = 0; sent < requests && target.ended === undefined;) {
      const until = Math.min(requests, sent + 50_000);
      await sendAll(target.port, calls(sent, until), tally);
      sent = until;
      highest = Math.max(highest, ((await target.memory()) ?? before) - before);
    }
    return { most: highest, harm: await damage(tenon, target) };
  });
  const right = countOf(tally, 2);
  return {
    attack: "Calls that each leave a job which is kept",
    inputs: `${requests.toLocaleString("en")} calls with an Idempotency-Key of their own`,
    result: `${right.toLocaleString("en")} × 2xx, ${tally.unanswered} without an answer, the slowest within ${tally.slowest.toFixed(0)} ms, +${most.toFixed(0)} MB at most`,
    peers: [],
    breaches: [
      ...harm,
      ...(right < requests ? [`${requests - right} were not answered with 2xx`] : []),
      ...(most > goal ? [`${most.toFixed(0)} MB were taken, more than ${goal} MB`] : []),
      ...(tally.slowest > patience ? [`an answer took ${tally.slowest.toFixed(0)} ms`] : []),
    ],
  };
};

function* calls(from: number, to: number): Generator<Buffer, void, undefined> {
  for (let at = from; at < to; at++)
    yield framed("/tool/isPrime", '{"number":997}', { "Idempotency-Key": `kept-job-number-${at}` });
}
