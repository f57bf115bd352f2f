import { expect, onTestFinished, test } from "vitest";
import type { PlatformTables } from "../../../../../cli/local-platform/stored/platform-tables.ts";
import { openSqliteTables } from "../../../../../cli/local-platform/stored/sqlite-tables.ts";
import { ServiceRegistry } from "../../../../../cli/local-platform/services/service-registry.ts";
import { temporaryFolder } from "../../../../support/temporary-folder.ts";

/** Registries of two replicas on the same tables, and how many statements have run. */
async function replicas() {
  const own = await openSqliteTables(temporaryFolder());
  onTestFinished(() => own.close());
  let statements = 0;
  const tables: PlatformTables = {
    ...own,
    isShared: true,
    query: (...query) => {
      statements++;
      return own.query(...query);
    },
    exclusively: (work) => own.exclusively(work),
  };
  const open = async (): Promise<ServiceRegistry> => {
    const opened = await ServiceRegistry.open(tables, () => false);
    onTestFinished(() => opened.close());
    return opened;
  };
  return { one: await open(), other: await open(), statements: () => statements };
}

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

test("a definition that is given for a key gets that key, whatever its name, and no reserved one", async () => {
  const services = await registry();
  await services.forWorker("primes");
  const definition = { name: "Prime numbers", tools: [] };
  expect(await services.register({ definition, key: "primes" })).toMatchObject({ key: "primes", definition });
  expect((await services.register({ definition: { name: "Weather" }, key: "sky" })).key).toBe("sky");
  expect((await services.register({ definition: { name: "Jobs" }, key: "jobs" })).key).toBe("jobs-service");
  expect(services.all.map(({ key }) => key)).toEqual(["primes", "sky", "jobs-service"]);
  const other = { $id: "urn:platform:service:sky", name: "Prime numbers" };
  await expect(services.register({ definition: other, key: "primes" })).rejects.toThrow("the service sky already");
});

test("a worker that names no service gets the one that another replica has registered", async () => {
  const { one, other } = await replicas();
  await one.register({ definition: { name: "Prime numbers" } });
  expect((await other.forWorker(undefined)).key).toBe("prime-numbers");
  expect(other.all).toHaveLength(1);
});

test("a worker that names no service makes one where nobody has, and reads no table where one is known", async () => {
  const { one, other, statements } = await replicas();
  expect((await one.forWorker(undefined)).key).toBe("default");
  const before = statements();
  expect((await one.forWorker(undefined)).key).toBe("default");
  expect(statements()).toBe(before);
  expect((await other.forWorker(undefined)).key).toBe("default");
});

test("a worker must name one of several services", async () => {
  const services = await registry();
  await services.register({ definition: { name: "Prime numbers" } });
  await services.register({ definition: { name: "Weather" } });
  await expect(services.forWorker(undefined)).rejects.toThrow("end it with /prime-numbers");
});
