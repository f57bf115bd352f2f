import pg from "pg";

/**
 * Lets all leases in a store on PostgreSQL end now, as if their time had passed, after the worker that held them was
 * killed. Others find this in their next round.
 * @param store Address of the store, with its schema.
 */
export async function expireLeases(store: string): Promise<void> {
  const { searchParams } = new URL(store);
  const client = new pg.Client(store);
  await client.connect();
  try {
    await client.query(
      `UPDATE ${pg.escapeIdentifier(searchParams.get("schema") ?? "tenon")}.jobs SET due = 0 WHERE phase = 2`,
    );
  } finally {
    await client.end();
  }
}
