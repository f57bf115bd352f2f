import { expect, onTestFinished, test } from "vitest";
import { openSqliteTables } from "../../../../../cli/local-platform/stored/sqlite-tables.ts";
import { ServiceRegistry } from "../../../../../cli/local-platform/services/service-registry.ts";
import { temporaryFolder } from "../../../../support/temporary-folder.ts";

async function registry(): Promise<ServiceRegistry> {
  const tables = await openSqliteTables(temporaryFolder());
  onTestFinished(() => tables.close());
  return ServiceRegistry.open(tables, (key) => key === "jobs");
}

test("a service that its worker made is the one that a definition names later", async () => {
  const services = await registry();
  await services.forWorker("prime-numbers");
  const definition = { name: "Prime numbers", description: "Finds primes." };
  expect(await services.register({ definition })).toMatchObject({
    key: "prime-numbers",
    name: "Prime numbers",
    definition,
  });
  expect(services.all).toHaveLength(1);
  expect((await services.forWorker("prime-numbers")).name).toBe("Prime numbers");
});

test("two definitions whose names give the same key stay two services", async () => {
  const services = await registry();
  await services.register({ definition: { name: "Prime numbers", version: "1" } });
  expect((await services.register({ definition: { name: "Prime-Numbers", version: "1" } })).key).toBe(
    "prime-numbers-2",
  );
});
