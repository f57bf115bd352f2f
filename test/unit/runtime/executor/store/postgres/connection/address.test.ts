import { expect, test } from "vitest";
import { checkListens, readAddress } from "../../../../../../../runtime/executor/store/postgres/connection/address.ts";
import { StoreError } from "../../../../../../../runtime/executor/store/store-error.ts";

const schemaOf = (name: string): string => readAddress(`postgres://host/jobs?schema=${name}`, "TENON_STORE", {}).schema;

test("the name of a schema has up to 63 bytes, and does not begin with pg_", () => {
  for (const name of ["my_pg_jobs", "x".repeat(63)]) expect(schemaOf(name)).toBe(name);
  for (const name of ["pg_jobs", "PG_jobs", "x".repeat(64), "%C3%A4".repeat(32), "a%00b"])
    expect(() => schemaOf(name)).toThrow("which is not a valid name. Give one of 1 to 63 bytes");
});

test("an address for notifications is only for a store in PostgreSQL", () => {
  for (const scheme of ["postgres", "PostgreSQL"]) checkListens(scheme);
  for (const scheme of ["memory", "sqlite", "postgresqlx", undefined])
    expect(() => checkListens(scheme)).toThrow(
      new StoreError(
        "TENON_STORE_LISTEN_URL is set, and TENON_STORE is not the address of a PostgreSQL database. Set both, or neither.",
      ),
    );
});
