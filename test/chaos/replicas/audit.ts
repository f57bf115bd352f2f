import { Client } from "pg";
import type { Entry } from "../history.ts";

const schema = "tenon";
const audit = "chaos_audit";

/**
 * Has the database itself write down, in the same transaction, each lease that is given, each end of a job and each
 * change behind its end. The tables of the jobs must exist.
 */
export async function startAudit(url: string): Promise<void> {
  await withClient(url, (client) =>
    client.query(`
CREATE SCHEMA ${audit};
CREATE TABLE ${audit}.log (n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id text NOT NULL, what text NOT NULL,
  lease text, attempt integer, content text);
CREATE FUNCTION ${audit}.note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF TG_OP = 'DELETE' THEN
    INSERT INTO ${audit}.log (id, what) VALUES (OLD.id, 'dropped');
  ELSIF NEW.phase = 2 AND (TG_OP = 'INSERT' OR NEW.token IS DISTINCT FROM OLD.token) THEN
    INSERT INTO ${audit}.log (id, what, lease, attempt) VALUES (NEW.id, 'granted', NEW.token, NEW.attempt);
  ELSIF TG_OP = 'UPDATE' AND OLD.phase >= 3 AND (NEW.phase, NEW.content, NEW.outcome) IS DISTINCT FROM
      (OLD.phase, OLD.content, OLD.outcome) THEN
    INSERT INTO ${audit}.log (id, what) VALUES (NEW.id, 'changed');
  ELSIF TG_OP = 'UPDATE' AND OLD.phase = 2 AND NEW.attempt < OLD.attempt THEN
    INSERT INTO ${audit}.log (id, what, lease) VALUES (NEW.id, 'released', OLD.token);
  ELSIF TG_OP = 'UPDATE' AND OLD.phase < 3 AND NEW.phase = 3 THEN
    INSERT INTO ${audit}.log (id, what, lease, content)
      VALUES (NEW.id, NEW.outcome, OLD.token, convert_from(NEW.content, 'UTF8'));
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER ${audit} AFTER INSERT OR UPDATE OR DELETE ON ${schema}.jobs
  FOR EACH ROW EXECUTE FUNCTION ${audit}.note();`),
  );
}

interface AuditRow {
  readonly n: number;
  readonly id: string;
  readonly what: string;
  readonly lease: string | null;
  readonly attempt: number | null;
  readonly content: string | null;
}

/** Reads what the database wrote down, with its own order as time. */
export async function readAudit(url: string, digestOf: (text: string) => string): Promise<readonly Entry[]> {
  const rows = await withClient(url, async (client) => {
    const { rows: all } = await client.query<AuditRow>(
      `SELECT n::float8 AS n, id, what, lease, attempt, content FROM ${audit}.log ORDER BY n`,
    );
    return all;
  });
  return rows.flatMap(({ n, id: key, what, lease, attempt, content }): Entry[] => {
    const id = `urn:platform:job:${key}`;
    const write = { kind: "write", id, lease: lease ?? "", began: n, ended: n, status: 204 } as const;
    if (what === "granted") return [{ kind: "granted", id, lease: lease ?? "", attempt: attempt ?? 0, at: n }];
    if (what === "released") return [{ ...write, what: "release" }];
    if (what === "changed" || what === "dropped") return [{ kind: "altered", id, how: what }];
    return what === "cancelled" ? [] : [{ ...write, what: "result", digest: digestOf(content ?? "") }];
  });
}

async function withClient<T>(url: string, use: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client(url);
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}
