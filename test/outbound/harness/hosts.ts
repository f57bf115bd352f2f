import type { Clients } from "./clients.ts";
import { jobs, makeJob } from "./jobs.ts";
import type { Run, RunResult } from "./run.ts";

const targets = [
  "svc.local",
  "a.b.minikube",
  "x.platform.net",
  "evil.test",
  "attacker.example",
  "xlocal",
  "local",
  "platform.net",
  "xplatform.net",
];
const addresses = ["127.0.0.1", "0x7f.1", "2130706433", "0177.0.0.1", "127.1", "0x7f000001", "localhost"];
const fullWidth = (text: string): string =>
  text.replace(/[a-z]/g, (char) => String.fromCodePoint((char.codePointAt(0) ?? 0) + 0xfee0));

type Pick = <T>(list: readonly T[]) => T;

/** Ways to write a host so that one reader sees another host than the next. `a` and `b` are two hosts. */
const tricks: readonly ((a: string, b: string, pick: Pick) => string)[] = [
  (a) => a,
  (a) => a.toUpperCase(),
  (a) => `${a}.`,
  (a) => `${a}..`,
  (a) => `.${a}`,
  (a, b) => `${a}.${b}`,
  (a, b) => `${a}%2e${b}`,
  (a, b) => `${a}%00.${b}`,
  (a, b) => `${a}\t.${b}`,
  (a, b) => `${a}\n${b}`,
  (a, b) => `${a}@${b}`,
  (a, b) => `${a}:80@${b}`,
  (a, b) => `user:${a}@${b}`,
  (a, b) => `${a}\\@${b}`,
  (a, b) => `${a}%40${b}`,
  (a, b) => `${a},${b}`,
  (a, b) => `${a};${b}`,
  (a, b) => `${a}&${b}`,
  (a, b) => `${a}_${b}`,
  (a, b) => `${a} ${b}`,
  (a, b) => `${a}[${b}`,
  (a, b) => `@${a}@${b}`,
  (a, b) => `${a}\u3002${b}`,
  (a, b) => `${a}\uff0e${b}`,
  (a, b) => `${a}\u200b.${b}`,
  (a, b) => `${a}\u00ad.${b}`,
  (a) => fullWidth(a),
  (a) => a.replace("l", "%6c"),
  (a) => a.replace("l", "\u217c"),
  (a) => a.replace("a", "\u0430"),
  (a) => a.replace(".", "\u3002"),
  (a) => `\u24b6.${a}`,
  (a) => `xn--${a}`,
  (a) => `127.0.0.1.${a}`,
  (a, _, pick) => `${pick(addresses)}.${a}`,
  (_, __, pick) => pick(addresses),
  (_, __, pick) => `[::ffff:${pick(["127.0.0.1", "7f00:1"])}]`,
];

/** Text that follows the host; none of it belongs to it. */
const tails: readonly ((host: string) => string)[] = [
  () => "/",
  (host) => `/${host}/`,
  (host) => `?${host}`,
  (host) => `#${host}`,
  (host) => `#@${host}`,
  (host) => `\\.${host}`,
  (host) => `/..//${host}`,
  (host) => `/?u=http://${host}/`,
];

/** Hostile URLs for the port, the same for the same seed. */
function hostileUrls(port: number, { seed, count }: { seed: number; count: number }): string[] {
  let state = seed;
  // A linear congruential generator: what matters is that a failure can be repeated.
  const random = (): number => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
  const pick: Pick = (list) => list[Math.floor(random() * list.length)] as never;
  return Array.from({ length: count }, (_, index) => {
    const trick = tricks[index % tricks.length] as (typeof tricks)[number];
    const host = trick(pick(targets), pick(targets), pick);
    const scheme = pick(["http://", "http://", "http://", "HTTP://", "http:\\\\", "http:/", " http://"]);
    const user = pick(["", "", "", `${pick(targets)}@`, "u:p@"]);
    return `${scheme}${user}${host}:${pick([String(port), String(port), `0${port}`])}${pick(tails)(pick(targets))}`;
  });
}

type Send = (url: string, headers: { [name: string]: string }) => Promise<unknown>;

/**
 * Sends all URLs with all clients from within one job. What a client refuses is its own decision, and counts as sent.
 */
export async function runHosts(clients: Clients, run: Run, hosts: { seed: number; count: number }): Promise<RunResult> {
  const sends = makeSends(clients);
  const urls = hostileUrls(run.port, hosts);
  const failed: string[] = [];
  let refused = 0;
  await jobs.run(makeJob(1), async () => {
    for (const [name, send] of Object.entries(sends)) {
      const queue = [...urls];
      const senders = Array.from({ length: 16 }, async () => {
        for (let url = queue.pop(); url !== undefined; url = queue.pop()) {
          try {
            await send(url, { "x-client": name });
          } catch (error) {
            refused++;
            // The hook must not fail by itself, and not with another error than the client's.
            if (
              /runtime[\\/]clients[\\/]outbound/.test((error as Error).stack ?? "") &&
              !/undici|node:/.test((error as Error).stack ?? "")
            ) {
              failed.push(`${name} ${JSON.stringify(url)}: ${String(error)}`);
            }
          }
        }
      });
      await Promise.all(senders);
    }
  });
  return {
    sent: urls.length * Object.keys(sends).length,
    errors: failed.slice(0, 20),
    shapes: Object.keys(sends),
    refused,
  };
}

function makeSends({ undici7, undici8, axios, got, nodeFetch, http }: Clients): Record<string, Send> {
  const get = (target: string | object, headers: object): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const request =
        typeof target === "string"
          ? http.get(target, { headers: { ...headers } })
          : http.get({ ...target, headers: { ...headers } });
      request
        .on("error", reject)
        .on("response", (response) => response.resume().on("end", resolve).on("error", reject));
    });
  const read = async (response: Promise<{ text: () => Promise<string> }>): Promise<string> => (await response).text();
  return {
    fetch: (url, headers) => read(fetch(url, { headers })),
    "undici 7": async (url, headers) => (await undici7.request(url, { headers })).body.text(),
    "undici 8": async (url, headers) => (await undici8.request(url, { headers })).body.text(),
    "http url": (url, headers) => get(url, headers),
    // The host as it stands, as code writes it that takes URLs apart by hand.
    "http options": (url, headers) => {
      const [, host = "", port] = /^\s*http:[\\/]+(?:[^@/]*@)?([^/?#]*):0?(\d+)/is.exec(url) ?? [];
      return get({ hostname: host, host: "svc.local", port, path: "/" }, headers);
    },
    axios: (url, headers) => axios.get(url, { headers, maxRedirects: 0 }),
    got: (url, headers) => got(url, { headers, retry: { limit: 0 } }),
    "node-fetch": (url, headers) => read(nodeFetch(url, { headers })),
  };
}
