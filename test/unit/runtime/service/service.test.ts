import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { resolveVersion, Service, ServiceContact, ServiceLicense } from "../../../../runtime/service/service.ts";
import { tenonVersion } from "../../../../runtime/base/version.ts";
import packageJson from "../../../../package.json" with { type: "json" };

test("plain maps become contact and license", () => {
  const service = new Service({ name: "S", contact: { name: "A", email: "a@b.c" }, license: { name: "MIT" } });
  expect(service.contact).toBeInstanceOf(ServiceContact);
  expect(service.license).toBeInstanceOf(ServiceLicense);
  expect(JSON.parse(JSON.stringify(service))).toEqual({
    name: "S",
    contact: { name: "A", email: "a@b.c" },
    license: { name: "MIT" },
  });
});

test("instances are taken as they are", () => {
  const contact = new ServiceContact({ name: "A", email: "a@b.c", url: "https://b.c" });
  expect(new Service({ name: "S", contact }).contact).toEqual(contact);
});

const wrong: readonly [unknown, string][] = [
  [undefined, 'Service takes an object: { name: "…" }.'],
  [{}, 'Service needs "name", a text that is not empty.'],
  [{ name: " " }, 'Service needs "name", a text that is not empty.'],
  [
    { name: "S", licence: {} },
    'Service has no "licence"; it has name, version, description, instructions, contact, license, onStart, onStop.',
  ],
  [{ name: "S", version: 1 }, 'Service: "version" must be a text.'],
  [{ name: "S", contact: { name: "A" } }, 'ServiceContact needs "email", a text that is not empty.'],
  [{ name: "S", contact: null }, 'ServiceContact takes an object: { name: "…" }.'],
  [{ name: "S", license: { name: "MIT", year: 1 } }, 'ServiceLicense has no "year"; it has name, url.'],
  [{ name: "S", license: { name: "MIT", url: 1 } }, 'ServiceLicense: "url" must be a text.'],
];
for (const [options, message] of wrong) {
  test(`new Service(${JSON.stringify(options)})`, () => {
    expect(() => new Service(options as never)).toThrow(new TypeError(message));
  });
}

test("version: the service's, else the variable, else the nearest package.json", () => {
  const folder = mkdtempSync(join(tmpdir(), "tenon-"));
  const below = join(folder, "src", "deep");
  mkdirSync(below, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{"version":"3.0.0"}');
  try {
    expect(resolveVersion(new Service({ name: "S", version: "1" }), "2", below)).toBe("1");
    expect(resolveVersion(new Service({ name: "S" }), "2", below)).toBe("2");
    expect(resolveVersion(new Service({ name: "S" }), undefined, below)).toBe("3.0.0");
    writeFileSync(join(folder, "package.json"), "{");
    expect(() => resolveVersion(new Service({ name: "S" }), undefined, below)).toThrow(
      "package.json is not valid JSON.",
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("the version of the package is the one of package.json", () => {
  expect(tenonVersion).toBe(packageJson.version);
});
