import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { json } from "node:stream/consumers";
import type { AddressInfo } from "node:net";
import type { Chance } from "../chance.ts";

/** An effect of a step, as the system outside saw it. */
export interface Effect {
  readonly job: string;
  readonly step: string;
  readonly key: string;
}

/** A system outside that is never killed; the number of an effect is its place in `effects`. */
export interface Ledger {
  readonly url: string;
  readonly effects: readonly Effect[];
  close(): void;
}

/** Opens the ledger. Its answers take a while, and some fail before or after the effect. */
export async function openLedger(chance: Chance): Promise<Ledger> {
  const effects: Effect[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const [job, step, key] = (await json(request)) as [string, string, string];
      await sleep(chance.below(10));
      const [fails, failsLate] = [chance.happens(0.02), chance.happens(0.01)];
      const isOnce = step === "once";
      if (fails && !isOnce) return void response.writeHead(503).end();
      const number = effects.push({ job, step, key }) - 1;
      await sleep(chance.below(10));
      if (failsLate && !isOnce) return void response.writeHead(503).end();
      response.end(String(number));
    })().catch(() => response.destroy());
  });
  // A connection that it closes while a request is on its way would be an error of its own.
  server.keepAliveTimeout = 3_600_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    effects,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
