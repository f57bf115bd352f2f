import { join } from "node:path";
import { buildService } from "../lib/build-service.ts";
import { curvesFigure, type Figure } from "../lib/figure.ts";
import { httpRequest } from "../lib/http-load.ts";
import { interleave } from "../lib/rounds.ts";
import { pinLoad, startServerProcess } from "../lib/server-process.ts";

const expected = '"isPrime":true';

/** `POST` of a tool over more and more connections, beside a bare `node:http` server. */
export async function connectionsFigure(quick: boolean, progress: (text: string) => void): Promise<Figure> {
  const sizes = quick ? [1, 10, 100] : [1, 10, 100, 1000, 10_000];
  pinLoad();
  const body = JSON.stringify({ number: 997, note: "x".repeat(280), tags: ["a", "b"] });
  const tenon = await startServerProcess(buildService(2), ["--host", "127.0.0.1", "--port", "0"]);
  const bare = await startServerProcess(join(import.meta.dirname, "../servers/bare.ts"), ["rest"]);
  const contenders = [
    { name: "tenon", server: tenon, request: httpRequest("/tool/isPrime", body) },
    { name: "bare node:http", server: bare, request: httpRequest("/tool", body) },
  ];
  const rates = new Map(contenders.map(({ name }) => [name, [] as (readonly [number, number])[]]));
  try {
    for (const { server, request } of contenders) await server.measure(request, quick ? 3000 : 20_000, expected);
    for (const connections of sizes) {
      progress(`calls over ${connections.toLocaleString("en")} connections`);
      const count = Math.max(quick ? 1000 : 10_000, 3 * connections);
      const samples = await interleave(
        contenders.map(({ name, server, request }) => ({
          name,
          // A server that cannot hold so many has no value there, and the others go on.
          sample: () =>
            server.measure(request, count, expected, { connections }).catch((error: Error) => {
              progress(`${name}: ${error.message}`);
              return { wall: Number.NaN, cpu: Number.NaN, p99: Number.NaN };
            }),
        })),
        { rounds: quick ? 1 : 3, warmups: quick ? 0 : 1 },
      );
      for (const [name, points] of rates) points.push([connections, 1e6 / samples.median("wall", name)]);
    }
  } finally {
    for (const { server } of contenders) server.stop();
  }
  return curvesFigure({
    id: "growth-connections",
    name: "Calls a second over the number of connections",
    unit: "requests/s",
    better: "higher",
    axis: "connections",
    curves: [...rates].map(([contender, points]) => ({ contender, points })),
  });
}
