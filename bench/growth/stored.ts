import { Client } from "pg";
import { curvesFigure, type Figure } from "../lib/figure.ts";
import { interleave } from "../lib/rounds.ts";
import { startServerProcess } from "../lib/server-process.ts";
import { Wire } from "../lib/wire.ts";
import { medianOf } from "../store/postgres-replicas.ts";
import { peerQueues } from "../store/peer-queues.ts";

const schemas = { tenon: "stored", boss: "stored_boss" } as const;
const server = new URL("../servers/replica.ts", import.meta.url).pathname;
const bossName = "pg-boss, send, fetch and complete";
const post = "tenon, POST of a job to its result";
const get = "tenon, GET of a stored job";

/** Answer times of a service, one call at a time, over the number of ended jobs that PostgreSQL holds. */
export async function storedFigure(url: string, quick: boolean, progress: (text: string) => void): Promise<Figure> {
  const sizes = quick ? [100, 1000, 10_000] : [100, 1000, 10_000, 100_000, 1_000_000];
  const service = await startServerProcess(server, [], {
    TENON_STORE: `${url}?schema=${schemas.tenon}`,
    HOST: "127.0.0.1",
    PORT: "0",
    BENCH_STORED: "2000000",
  });
  const boss = await peerQueues.find(({ name }) => name === bossName)?.open(url, schemas.boss);
  const client = new Client(url);
  await client.connect();
  let wire = new Wire(service.port);
  const send = async (head: string, body: string): Promise<void> => {
    const host = "Host: 127.0.0.1\r\nContent-Type: application/json\r\nPrefer: wait=60\r\n";
    const answer = await wire.send(`${head}\r\n${host}Content-Length: ${body.length}\r\n\r\n${body}`);
    if (!answer.head.includes(" 200 ")) throw new Error(`The call was answered: ${answer.head}`);
  };
  let ids = 0;
  const submit = (): Promise<void> => send(`POST /tool HTTP/1.1\r\njob-id: bench-${ids++}`, '{"holds":false}');
  const contenders = {
    [post]: submit,
    [get]: () => send("GET /jobs/bench-0 HTTP/1.1", ""),
    ...(boss !== undefined && { [bossName]: async () => boss.through() }),
  };
  const points = new Map(Object.keys(contenders).map((name) => [name, [] as (readonly [number, number])[]]));
  try {
    await submit();
    await boss?.through();
    for (const size of sizes) {
      progress(`answers with ${size.toLocaleString("en")} ended jobs in the store`);
      await fill(client, `${schemas.tenon}.jobs`, "'copy-' || n || '-' || $1", size);
      if (boss !== undefined) await fill(client, `${schemas.boss}.job`, "gen_random_uuid()", size);
      // Filling may take longer than a server leaves a connection open that nobody uses.
      wire.close();
      wire = new Wire(service.port);
      const samples = await interleave(
        Object.entries(contenders).map(([name, call]) => ({
          name,
          sample: async () => ({ ms: await medianOf(call) }),
        })),
        { rounds: quick ? 1 : 3, warmups: quick ? 0 : 1 },
      );
      for (const [name, all] of points) all.push([size, samples.median("ms", name)]);
    }
  } finally {
    wire.close();
    await boss?.close();
    service.stop();
    await client.end();
  }
  return curvesFigure({
    id: "growth-stored",
    name: "Answer time over the number of ended jobs in PostgreSQL, one call at a time, median",
    unit: "ms",
    better: "lower",
    axis: "ended jobs",
    curves: [...points].map(([contender, all]) => ({ contender, points: all })),
  });
}

/** Copies an ended job until the table has as many, with new ids by an SQL expression. */
async function fill(client: Client, table: string, id: string, size: number): Promise<void> {
  const [schema = "", name = ""] = table.split(".");
  const { rows } = await client.query<{ column_name: string }>(
    `SELECT column_name FROM information_schema.columns
     WHERE table_schema = $1 AND table_name = $2 AND column_name NOT IN ('id', 'seq') AND is_generated = 'NEVER'`,
    [schema, name],
  );
  const columns = rows.map((row) => `"${row.column_name}"`).join(", ");
  const values = id.replace("$1", String(size));
  await client.query(
    `INSERT INTO ${table} (id, ${columns}) SELECT ${values}, ${columns}
     FROM (SELECT * FROM ${table} LIMIT 1) AS one, generate_series(1, $1 - (SELECT count(*) FROM ${table})) AS n`,
    [size],
  );
  // As the server does by itself, a while later.
  await client.query(`VACUUM ANALYZE ${table}`);
}
