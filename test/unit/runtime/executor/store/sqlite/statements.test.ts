import { expect, test } from "vitest";
import { loadSqlite } from "../../../../../../runtime/executor/store/sqlite/load-sqlite.ts";
import { migrate } from "../../../../../../runtime/executor/store/sqlite/schema.ts";
import { statementTexts } from "../../../../../../runtime/executor/store/sqlite/statements.ts";

const { DatabaseSync } = loadSqlite();
const database = new DatabaseSync(":memory:");
migrate(database, 0);

/** Plan of SQLite for a statement, step by step. */
function plan(text: string): readonly string[] {
  const rows = database.prepare(`EXPLAIN QUERY PLAN ${text}`).all();
  return rows.map((row) => String(row["detail"]));
}

for (const [name, text] of Object.entries(statementTexts)) {
  test(`${name} finds its rows by an index, without sorting`, () => {
    // Reading an index from one end is how counts are made and tools are listed. The steps of a subquery, and of the
    // jobs that a list has examined, are in the plan as well.
    const slow = plan(text).filter((step) =>
      /^SCAN (?!\(subquery|examined$|.* USING (?:COVERING )?INDEX)|TEMP B-TREE FOR ORDER/.test(step),
    );
    expect(slow).toEqual([]);
  });
}

test("a statement without an index would be seen", () => {
  expect(plan("SELECT seq FROM jobs WHERE phase = 3 ORDER BY due")).toEqual([
    "SCAN jobs",
    "USE TEMP B-TREE FOR ORDER BY",
  ]);
});
