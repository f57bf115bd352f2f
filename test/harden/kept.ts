import { against, type Attack } from "./attack.ts";
import { damage } from "./canary.ts";
import { countOf, emptyTally, framed, sendAll } from "./wire.ts";

/** Megabytes that the process may take: 64 for what it keeps, and as much again before they are collected. */
const goal = 220;
/** Megabytes by which the process may grow once a quarter of the jobs is there, which is more than it may keep. */
const growth = 25;
/** Milliseconds for the answer to any of the calls. */
const patience = 10_000;

/** Calls with ids, each of which leaves a job that anybody could ask for again. */
export const attackWithKept: Attack = async ({ tenon, size }) => {
  const { requests } = size;
  const tally = emptyTally();
  const { most, grown, harm } = await against(tenon, {}, async (target) => {
    const before = (await target.memory()) ?? 0;
    let highest = 0;
    let settled = Infinity;
    let last = before;
    for (let sent = 0; sent < requests && target.ended === undefined;) {
      const until = Math.min(requests, sent + 50_000);
      await sendAll(target.port, calls(sent, until), tally);
      sent = until;
      last = (await target.memory()) ?? last;
      highest = Math.max(highest, last - before);
      if (settled === Infinity && sent >= requests / 4) settled = last;
    }
    return { most: highest, grown: Math.max(0, last - settled), harm: await damage(tenon, target) };
  });
  const right = countOf(tally, 2);
  return {
    attack: "Calls that each leave a job which is kept",
    inputs: `${requests.toLocaleString("en")} calls with an Idempotency-Key of their own`,
    result: `${right.toLocaleString("en")} × 2xx, ${tally.unanswered} without an answer, the slowest within ${tally.slowest.toFixed(0)} ms, +${most.toFixed(0)} MB at most, +${grown.toFixed(0)} MB from a quarter of them on`,
    peers: [],
    breaches: [
      ...harm,
      ...(right < requests ? [`${requests - right} were not answered with 2xx`] : []),
      ...(most > goal ? [`${most.toFixed(0)} MB were taken, more than ${goal} MB`] : []),
      ...(grown > growth ? [`${grown.toFixed(0)} MB more were taken after a quarter of the calls`] : []),
      ...(tally.slowest > patience ? [`an answer took ${tally.slowest.toFixed(0)} ms`] : []),
    ],
  };
};

function* calls(from: number, to: number): Generator<Buffer, void, undefined> {
  for (let at = from; at < to; at++)
    yield framed("/tool/isPrime", '{"number":997}', { "Idempotency-Key": `kept-job-number-${at}` });
}
