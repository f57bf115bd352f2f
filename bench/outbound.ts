/**
 * What outbound rewriting costs: loopback requests within a job of a process that has the hook in some short turns and
 * not in others; the server has a process and a core of its own. Two processes of the same kind differ by more than
 * what is looked for; within one, turns without the hook are beside other turns without it, which shows how far the
 * figure can be trusted. What stays when the hook is away is a look at a global, and a listener that has nothing to do.
 * The headers themselves cost, whoever sets them, so an author who sets the same ones by hand takes part as well, and
 * the least that a hook can do: the same headers for every request, made in advance, of no job and for any host. The
 * goals are for `fetch`: at most 6 % of processor time over no hook, and 3 % over the same headers set by hand. `node
 * bench/outbound.ts [--quick] [--json FILE]`.
 */
import { outboundKey } from "../runtime/contract/process-keys.ts";
import { AsyncLocalStorage } from "node:async_hooks";
import type { RequestOptions } from "node:http";
import type { AddressInfo } from "node:net";
import type { OutboundJob } from "../runtime/outside/outbound/rules/job-headers.ts";
import type { OutboundHook } from "../runtime/outside/outbound/patches/hook.ts";
import { installOutbound } from "../runtime/outside/outbound/install-outbound.ts";
import { resolveOutboundPolicy } from "../runtime/service/config/outbound-policy.ts";
import { answerRounds, startClientProcess } from "./lib/client-process.ts";
import { atMost, type Figure } from "./lib/figure.ts";
import { type Samples, interleave, summarise } from "./lib/rounds.ts";
import { type BenchScript, benchScript } from "./lib/script.ts";
import { pinLoad, reportServer, startServerProcess } from "./lib/server-process.ts";

/** Ways to send a request, with the number in flight and per turn. */
const ways = [
  { name: "fetch, 1 at a time", parallel: 1, count: 150 },
  { name: "fetch, 32 at a time", parallel: 32, count: 300 },
  { name: "node:http keep-alive, 32", parallel: 32, count: 400 },
] as const;
/** Turns before the measurement, so that the compiler has optimised the code. */
const warmups = 12;
const kinds = [
  "without the hook",
  "without it, other turns",
  "tenon, with the hook",
  "its headers set by hand",
  "a hook that only adds them",
] as const;
type Kind = (typeof kinds)[number];
const [without, again, withHook, byHand, bareHook] = kinds;

// As in services: an import would load undici, and a copy that is loaded before the start is watched more closely.
const http = process.getBuiltinModule("node:http");
const [role, port] = process.send === undefined ? [] : process.argv.slice(2);
if (role === "server") serve();
else if (role === "client") sendRounds(Number(port));
else await main(benchScript());

async function main({ quick, progress, finish }: BenchScript): Promise<void> {
  pinLoad();
  const server = await startServerProcess(import.meta.filename, ["server"]);
  const processes = quick ? 1 : 3;
  const samples: Samples<"cpu">[][] = ways.map(() => []);
  for (let number = 0; number < processes; number++) {
    const client = await startClientProcess(import.meta.filename, ["client", String(server.port)]);
    for (const [way, { name }] of ways.entries()) {
      progress(`outbound, process ${number + 1} of ${processes}: ${name}`);
      const contenders = kinds.map((kind, index) => ({
        name: kind,
        sample: () => client.round(kinds.length * way + index),
      }));
      samples[way]?.push(await interleave(contenders, quick ? { rounds: 6, warmups: 3 } : { rounds: 60, warmups }));
    }
    client.stop();
  }
  server.stop();
  const figures = ways.map(({ name }, way): Figure => {
    const taken = samples[way] ?? [];
    const middle = (values: readonly number[]): number => summarise(values).median;
    const more = (kind: Kind, than: Kind = without): number =>
      (middle(taken.map((one) => one.ratio("cpu", kind, than))) - 1) * 100;
    const told = [withHook, byHand, bareHook].map((kind) => `${kind} ${more(kind).toFixed(1)} %`).join(", ");
    console.log(`${name}, more than without: ${told}; ${more(again).toFixed(1)} % between turns without`);
    return {
      id: `outbound-${way + 1}`,
      name: `Outbound requests within a job: ${name}, processor time of the client`,
      unit: "µs/request",
      better: "lower",
      rows: kinds.map((contender) => ({
        contender,
        median: middle(taken.map((one) => one.median("cpu", contender))),
        spread: middle(
          taken.flatMap((one) =>
            one
              .rows("cpu")
              .filter((row) => row.contender === contender)
              .map((row) => row.spread),
          ),
        ),
      })),
      goals: !name.startsWith("fetch")
        ? []
        : [
            atMost(6, "processor time more than without the hook", more(withHook), "%"),
            atMost(3, "processor time more than with its headers set by hand", more(withHook, byHand), "%"),
          ],
    };
  });
  finish(figures);
}

function serve(): void {
  const server = http.createServer((_request, response) => response.end("ok"));
  server.keepAliveTimeout = 600_000;
  server.listen(0, "127.0.0.1", () => reportServer((server.address() as AddressInfo).port));
}

function sendRounds(serverPort: number): void {
  const jobs = new AsyncLocalStorage<OutboundJob>();
  const job: OutboundJob = {
    id: "urn:platform:job:0192f0c1-2345-7abc-8def-0123456789ab",
    authorization: "Bearer token",
    traceparent: `00-${"a".repeat(32)}-${"b".repeat(16)}-01`,
    tracestate: undefined,
  };
  const url = `http://localhost:${serverPort}/`;
  const agent = new http.Agent({ keepAlive: true });
  const headers = {
    "platform-job-id": job.id,
    traceparent: job.traceparent,
    authorization: job.authorization,
  };
  const send = (way: number, own: object): Promise<unknown> =>
    way < 2 ? fetch(url, own).then((response) => response.text()) : get(url, { agent, ...own });
  const policy = resolveOutboundPolicy({ PLATFORM_BASE_URL: `http://localhost:${serverPort}` });
  // Installed once: functions created for each turn would be compiled each time.
  installOutbound({ job: () => jobs.getStore(), policy });
  const scope = globalThis as { [key: symbol]: unknown };
  const hook = scope[outboundKey] as OutboundHook;
  const hooks: Partial<Record<Kind, OutboundHook>> = { [withHook]: hook, [bareHook]: hookThatOnlyAdds(hook, headers) };
  answerRounds(async (work) => {
    const index = Math.floor(work / kinds.length);
    const [way, kind] = [ways[index], kinds[work % kinds.length]];
    if (way === undefined || kind === undefined) throw new Error(`There is no way ${index}.`);
    scope[outboundKey] = hooks[kind];
    const own = kind === byHand ? { headers } : {};
    const began = process.cpuUsage();
    await jobs.run(job, () => sendAll(() => send(index, own), way.parallel, way.count));
    const { user, system } = process.cpuUsage(began);
    return { cpu: (user + system) / way.count };
  });
}

/** The lower bound: it only checks if a request was here before. */
function hookThatOnlyAdds(hook: OutboundHook, headers: Readonly<Record<string, string | undefined>>): OutboundHook {
  const seen = Symbol("seen");
  return {
    ...hook,
    fetch: (original, input, init) => original(input, init),
    dispatch(dispatcher, original, options, handler) {
      const given = options as { readonly headers: object; [seen]?: true };
      if (given[seen] === true) return original.call(dispatcher, given, handler);
      const { "platform-job-id": id, traceparent, authorization } = headers;
      const changed: typeof given = {
        ...given,
        headers: { ...given.headers, "platform-job-id": id, traceparent, authorization },
      };
      changed[seen] = true;
      return original.call(dispatcher, changed, handler);
    },
    http: (_protocol, [url, options, callback], send) => send([url, { ...(options as object), headers }, callback]),
  };
}

async function sendAll(send: () => Promise<unknown>, parallel: number, count: number): Promise<void> {
  let left = count;
  await Promise.all(
    Array.from({ length: parallel }, async () => {
      while (left-- > 0) await send();
    }),
  );
}

function get(url: string, options: RequestOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    http.get(url, options, (response) => response.resume().on("end", resolve)).on("error", reject);
  });
}
