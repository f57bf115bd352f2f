import { expect, onTestFinished, test } from "vitest";
import { openPlatformDatabase } from "../../../../../cli/local-platform/stored/platform-database.ts";
import { ServiceRegistry } from "../../../../../cli/local-platform/services/service-registry.ts";
import { temporaryFolder } from "../../../../support/temporary-folder.ts";

function registry(): ServiceRegistry {
  const database = openPlatformDatabase(temporaryFolder());
  onTestFinished(() => database.close());
  return new ServiceRegistry(database, (key) => key === "jobs");
}

test("a service that its worker made is the one that a definition names later", () => {
  const services = registry();
  services.forWorker("prime-numbers");
  const definition = { name: "Prime numbers", description: "Finds primes." };
  expect(services.register({ definition })).toMatchObject({ key: "prime-numbers", name: "Prime numbers", definition });
  expect(services.all).toHaveLength(1);
  expect(services.forWorker("prime-numbers").name).toBe("Prime numbers");
});

test("two definitions whose names give the same key stay two services", () => {
  const services = registry();
  services.register({ definition: { name: "Prime numbers", version: "1" } });
  expect(services.register({ definition: { name: "Prime-Numbers", version: "1" } }).key).toBe("prime-numbers-2");
});
