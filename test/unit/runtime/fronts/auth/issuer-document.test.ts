import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { fetchJson, findInMetadata, findKeysAddress } from "../../../../../runtime/fronts/auth/issuer-document.ts";

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`;
}

test("a document is fetched as JSON", async () => {
  const address = await serve(({ headers }, response) => response.end(JSON.stringify([headers.accept])));
  expect(await fetchJson(address)).toEqual(["application/json"]);
});

test.each([404, 500])("a document with status %i is none, whatever it contains", async (status) => {
  const address = await serve((_, response) => response.writeHead(status).end("{}"));
  await expect(fetchJson(address)).rejects.toThrow(`${address} answered ${status}`);
});

test("a redirect is not followed", async () => {
  const there = await serve((_, response) => response.end("{}"));
  const address = await serve((_, response) => response.writeHead(302, { location: there }).end());
  await expect(fetchJson(address)).rejects.toThrow("fetch failed");
});

test("a document has 1 MiB at most", async () => {
  const text = (bytes: number): string => JSON.stringify("x".repeat(bytes - 2));
  const right = await serve((_, response) => response.end(text(1024 * 1024)));
  expect(await fetchJson(right)).toHaveLength(1024 * 1024 - 2);
  const large = await serve((_, response) => response.end(text(1024 * 1024 + 1)));
  await expect(fetchJson(large)).rejects.toThrow(`${large} is larger than 1048576 bytes`);
});

test.each([
  [
    "https://login.example.org",
    [
      "https://login.example.org/.well-known/openid-configuration",
      "https://login.example.org/.well-known/oauth-authorization-server",
    ],
  ],
  [
    "https://login.example.org/realms/one/",
    [
      "https://login.example.org/realms/one/.well-known/openid-configuration",
      "https://login.example.org/.well-known/oauth-authorization-server/realms/one",
      "https://login.example.org/.well-known/openid-configuration/realms/one",
    ],
  ],
])("the metadata of %s is asked for at its three addresses, each once", async (issuer, addresses) => {
  const asked: string[] = [];
  const none = async (address: string): Promise<unknown> => {
    asked.push(address);
    throw new Error(`no ${asked.length}`);
  };
  const reasons = addresses.map((_, index) => `no ${index + 1}`).join("; ");
  await expect(findKeysAddress(issuer, none)).rejects.toThrow(reasons);
  expect(asked).toEqual(addresses);
});

test("the first document of the issuer that has what is wanted counts", async () => {
  const issuer = "https://a.example/b";
  const documents: readonly unknown[] = [
    { issuer: "https://other.example/b", jwks_uri: "https://other.example/keys" },
    { issuer, jwks_uri: 7 },
    { issuer, jwks_uri: "https://keys.example/b" },
  ];
  let index = 0;
  expect(await findKeysAddress(issuer, async () => documents[index++])).toBe("https://keys.example/b");
});

test("documents that say nothing are listed with their reasons", async () => {
  const issuer = "https://a.example";
  const documents: readonly unknown[] = ["text", { issuer }];
  let index = 0;
  await expect(
    findInMetadata(
      issuer,
      async () => documents[index++],
      () => undefined,
      "lacks it",
    ),
  ).rejects.toThrow(
    "https://a.example/.well-known/openid-configuration is about another issuer; " +
      "https://a.example/.well-known/oauth-authorization-server lacks it",
  );
});
