import { expect, test } from "vitest";
import { readOptions } from "../../../../../../../runtime/executor/store/postgres/connection/address-options.ts";
import { StoreError } from "../../../../../../../runtime/executor/store/store-error.ts";

const read = (query: string, env: NodeJS.ProcessEnv = {}): Record<string, string> =>
  Object.fromEntries(readOptions(query, "TENON_STORE", env));

test("options are read as psql reads them; those of the address come before those of the environment", () => {
  expect(read("")).toEqual({});
  expect(read("sslmode=REQUIRE&&application_name=a%26b&")).toEqual({ sslmode: "require", application_name: "a&b" });
  expect(read("sslmode=allow", { PGSSLMODE: "disable", PGSSLKEY: "", PGCONNECT_TIMEOUT: "5" })).toEqual({
    sslmode: "allow",
    connect_timeout: "5",
  });
});

test("ssl=true stands for sslmode=require, and uselibpqcompat=true for nothing", () => {
  expect(read("ssl=true")).toEqual({ sslmode: "require" });
  expect(read("uselibpqcompat=true&sslmode=prefer")).toEqual({ sslmode: "prefer" });
});

test.for([
  ["hostaddr=10.0.0.1", "TENON_STORE has the option hostaddr, which tenon cannot carry out. Leave it out."],
  ["connect_timeout=soon", 'TENON_STORE has connect_timeout="soon". Write a whole number of seconds.'],
  ["sslsni=0", 'TENON_STORE has sslsni="0". Leave it out, or write 1.'],
  ["gssencmode=require", 'TENON_STORE has gssencmode="require". Write disable or prefer.'],
  ["rest", "TENON_STORE has an option without a value. Write NAME=VALUE, and %26 for an & inside a value."],
] as const)("%s is refused", ([query, message]) => {
  expect(() => read(query)).toThrow(new StoreError(message));
});

test("a variable that only psql can carry out is refused, but not one that is empty or names a file", () => {
  expect(() => read("", { PGHOSTADDR: "10.0.0.1" })).toThrow(
    new StoreError("PGHOSTADDR is set, which tenon cannot carry out. Unset it for this process."),
  );
  expect(read("", { PGHOSTADDR: "", PGPASSFILE: "/pass", PGSERVICEFILE: "/service" })).toEqual({});
});
