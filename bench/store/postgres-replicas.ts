import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { atLeast, atMost, type Figure } from "../lib/figure.ts";
import { interleave } from "../lib/rounds.ts";
import { startServerProcess, type ServerProcess } from "../lib/server-process.ts";

export interface ReplicaSizes {
  readonly url: string;
  readonly rounds: number;
}

const places = 20;
const reads = 300;
/** Milliseconds for which a number of running jobs must stay the same. */
const settled = 1500;
const server = new URL("../servers/replica.ts", import.meta.url).pathname;

/** What a caller pays for asking a replica that did not run the job; and how many jobs replicas hold together. */
export async function replicaFigures({ url, rounds }: ReplicaSizes): Promise<readonly Figure[]> {
  const client = new Client(url);
  await client.connect();
  try {
    return [await readFigure(url, client, rounds), await runningFigure(url, client)];
  } finally {
    await client.end();
  }
}

async function readFigure(url: string, client: Client, rounds: number): Promise<Figure> {
  const replicas = await start(url, "reads", 2);
  const [one, other] = replicas;
  const agent = new Agent({ keepAlive: true });
  try {
    await post(one, { holds: false }, { "job-id": "looked-at", prefer: "wait=60" });
    const query = { name: "read", text: "SELECT * FROM reads.jobs WHERE id = $1", values: ["looked-at"] };
    const [bare, tenon] = ["bare read of the row", "GET /jobs/{id} at another replica"];
    const samples = await interleave(
      [
        { name: bare, sample: async () => ({ ms: await medianOf(() => client.query(query)) }) },
        { name: tenon, sample: async () => ({ ms: await medianOf(() => get(other, "/jobs/looked-at", agent)) }) },
      ],
      { rounds },
    );
    return {
      id: "store-postgres-read",
      name: "Look at a job that another replica has run, one at a time, median",
      unit: "ms",
      better: "lower",
      rows: samples.rows("ms"),
      goals: [atMost(1, `${tenon}, over the bare read`, samples.difference("ms", tenon, bare), "ms")],
    };
  } finally {
    agent.destroy();
    for (const replica of replicas) replica.stop();
  }
}

async function runningFigure(url: string, client: Client): Promise<Figure> {
  const counts: number[] = [];
  for (const count of [1, 3]) {
    const schema = `running${count}`;
    const replicas = await start(url, schema, count);
    // All at one replica: the others take what has no place there.
    await Promise.all(
      Array.from({ length: places * 4 }, () => post(replicas[0], { holds: true }, { prefer: "wait=0" })),
    );
    counts.push(await running(client, schema));
    for (const replica of replicas) replica.stop();
  }
  const [one = 0, three = 0] = counts;
  return {
    id: "store-postgres-replicas",
    name: `Jobs that run at the same time, ${places} places each, all submitted to one replica`,
    unit: "jobs",
    better: "higher",
    rows: [
      { contender: "one replica", median: one, spread: 0 },
      { contender: "three replicas", median: three, spread: 0 },
    ],
    goals: [atLeast(3, "three replicas ÷ one", three / one)],
  };
}

function start(url: string, schema: string, count: number): Promise<readonly ServerProcess[]> {
  const env = { TENON_STORE: `${url}?schema=${schema}`, HOST: "127.0.0.1", PORT: "0", BENCH_PLACES: String(places) };
  return Promise.all(Array.from({ length: count }, () => startServerProcess(server, [], env)));
}

/** The number of running jobs, when it no longer changes. */
async function running(client: Client, schema: string): Promise<number> {
  let last = -1;
  for (let since = performance.now(); performance.now() - since < settled;) {
    const { rows } = await client.query<{ count: number }>(
      `SELECT count(*)::integer AS count FROM ${schema}.jobs WHERE phase > 0 AND phase = 2`,
    );
    const now = rows[0]?.count ?? 0;
    if (now !== last) [last, since] = [now, performance.now()];
    await sleep(50);
  }
  return last;
}

async function post(
  replica: ServerProcess | undefined,
  body: object,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${replica?.port}/tool`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`The job was answered ${answer.status}: ${text}`);
}

function get(replica: ServerProcess | undefined, path: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    request({ host: "127.0.0.1", port: replica?.port, path, agent, headers: { prefer: "wait=60" } }, (answer) => {
      answer.resume().once("end", () => {
        if (answer.statusCode === 200) resolve();
        else reject(new Error(`The look was answered ${answer.statusCode}.`));
      });
    })
      .once("error", reject)
      .end();
  });
}

/** Milliseconds of a read, one at a time. */
export async function medianOf(read: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let count = 0; count < reads; count++) {
    const began = performance.now();
    await read();
    times.push(performance.now() - began);
  }
  return times.toSorted((one, other) => one - other)[reads >> 1] ?? Number.NaN;
}
