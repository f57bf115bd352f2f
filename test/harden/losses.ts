import { join } from "node:path";
import { bundleVictims } from "../chaos/bundle-victims.ts";
import { runSweep } from "../chaos/run-sweep.ts";
import { against, type Attack } from "./attack.ts";
import { damage } from "./canary.ts";
import { ask, emptyTally, framed, sendAll } from "./wire.ts";

/** `kill -9` of workers, services and the platform while jobs run, the sweep of `npm run chaos`. */
export const attackWithKills: Attack = async ({ size, seed, folder, log }) => {
  const place = folder("kills");
  const { breaches, kills, ends, refused } = await runSweep({
    jobs: size.jobs,
    kills: size.kills,
    seed,
    workers: 2,
    leaseSeconds: 2,
    folder: place,
    log,
    entries: await bundleVictims(join(place, "bundle")),
  });
  const total = Object.values(kills).reduce((sum, count) => sum + count, 0);
  const ended = Object.values(ends).reduce((sum, count) => sum + count, 0);
  const list = Object.entries(kills).map(([name, count]) => `${count} ${name}`);
  return {
    attack: "`kill -9` of workers, a service with a store, and the platform",
    inputs: `${total} kills (${list.join(", ")}), ${size.jobs} jobs`,
    result: `${ended} ended, ${breaches.length} lost, doubled or written too late; ${refused} late writes refused`,
    peers: [],
    breaches,
  };
};

/** A store whose file cannot grow any more. */
export const attackWithFullDisk: Attack = async ({ tenon, size, folder }) => {
  const cwd = folder("disk");
  const requests = Math.min(3000, Math.ceil(size.requests / 20));
  // 1 MiB, which the jobs' results fill soon.
  const options = { cwd, fileBlocks: 2048, env: { TENON_STORE: "sqlite:jobs.db" } };
  return against(tenon, options, async (target) => {
    const tally = emptyTally();
    const wrong: string[] = [];
    const text = "x".repeat(2000);
    const all = Array.from({ length: requests }, (_, index) =>
      framed("/tool/echo", JSON.stringify({ text }), { "job-id": `full-${index}` }),
    );
    let stored = 0;
    await sendAll(target.port, all, tally, {
      connections: 4,
      depth: 1,
      onAnswer({ status, body }) {
        if (status === 200 && body === text) stored++;
        else if (status < 500 || !body.includes("urn:platform:problem:")) wrong.push(`${status} ${body.slice(0, 200)}`);
      },
    });
    const ready = await ask(target.port, Buffer.from("GET /readyz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"));
    // A legal call may be refused as long as the disk is full; an end of the process may not be.
    const harm = target.ended === undefined ? [] : await damage(tenon, target);
    const lost = tally.unanswered === 0 ? [] : [`${tally.unanswered} without an answer`];
    return {
      attack: "A store on a full disk (its file may have 1 MiB)",
      inputs: `${requests} jobs with ids`,
      result: [
        `${stored} answered`,
        `${tally.sent - stored - wrong.length} refused since they cannot be stored`,
        `${wrong.length} wrong`,
        `readiness ${ready?.status ?? "none"}`,
        ...harm,
        ...lost,
      ].join(", "),
      peers: [],
      breaches: [...wrong.slice(0, 10), ...harm, ...lost],
    };
  });
};
