import http from "node:http";
import { urlToHttpOptions } from "node:url";
import { describe, expect, test } from "vitest";
import {
  httpOrigin,
  isPlainRoute,
  readHttpArguments,
} from "../../../../../../runtime/outside/outbound/hooks/http-options.ts";

const callback = (): void => {};

describe("readHttpArguments merges as Node does", () => {
  test.each([
    [["http://u:p@a.local:8080/p?q#f", callback], { hostname: "a.local", port: 8080, path: "/p?q", auth: "u:p" }],
    [[new URL("http://a.local/p"), { port: 1 }, callback], { hostname: "a.local", port: 1, path: "/p" }],
    [["http://a.local/", { hostname: "b.test", host: "c.test" }, callback], { hostname: "b.test", host: "c.test" }],
    [[{ host: "a.local" }, callback], { host: "a.local" }],
  ])("%j", (args, expected) => {
    const read = readHttpArguments(args);
    expect(read?.options).toMatchObject(expected);
    expect(read?.callback).toBe(callback);
  });

  test.each([
    "http://a.local",
    "https://u%20s:p%C3%A4ss@[::1]:8443/a%20b/../c?x=1&y#z",
    "HTTP://User@A.LOCAL.:80/?",
    "http://:secret@127.1/",
    "file:///tmp/x",
  ])("%s is what Node makes of it", (text) => {
    const expected = { ...urlToHttpOptions(new URL(text)) };
    const extended = Object.assign(new URL(text), { port: "81", family: 6 });
    expect(readHttpArguments([text])?.options).toStrictEqual(expected);
    expect(readHttpArguments([new URL(text)])?.options).toStrictEqual(expected);
    expect(readHttpArguments([extended])?.options).toStrictEqual({ ...urlToHttpOptions(extended) });
  });

  test("a member called __proto__ is none that Node takes a host from", () => {
    const options: unknown = JSON.parse('{"__proto__": {"hostname": "a.local"}, "port": 1}');
    for (const args of [[options], ["http://b.test/", options]]) {
      const read = readHttpArguments(args)?.options ?? {};
      expect(Object.getPrototypeOf(Object.assign({}, read))).toBe(Object.prototype);
      expect(read["hostname"]).toBe(args.length === 1 ? undefined : "b.test");
    }
  });

  test("the author's options are not changed", () => {
    const options = { headers: { a: "1" } };
    const read = readHttpArguments([options]);
    expect(read?.options).not.toBe(options);
    expect(readHttpArguments(["http://a.local/", options])?.options["headers"]).toBe(options.headers);
    expect(options).toEqual({ headers: { a: "1" } });
  });

  test("a URL that Node refuses", () => {
    expect(readHttpArguments(["http://", {}])).toBeUndefined();
  });

  test("no options at all", () => {
    expect(readHttpArguments([callback])).toEqual({ options: {}, callback });
    expect(readHttpArguments([])).toEqual({ options: {}, callback: undefined });
  });
});

describe("httpOrigin is what Node connects to", () => {
  test.each([
    [{ hostname: "attacker.example", host: "x.local" }, "http://attacker.example"],
    [{ host: "x.local", headers: { host: "attacker.example" } }, "http://x.local"],
    [{ hostname: "A.LOCAL" }, "http://a.local"],
    [{ hostname: "ａ.local" }, "http://a.local"],
    [{ hostname: "a.local", path: "http://attacker.example/" }, "http://a.local"],
    [{ hostname: "a.local", port: "8080" }, "http://a.local:8080"],
    [{ hostname: "a.local", protocol: "https:" }, "https://a.local"],
    [{ hostname: "a.local", defaultPort: 81 }, "http://a.local:81"],
    [{ hostname: "::1", port: 8080 }, "http://[::1]:8080"],
    [{ hostname: "[::1]" }, "http://[::1]"],
    [{}, "http://localhost"],
  ])("%j", (options, origin) => {
    expect(new URL(httpOrigin(options, "http:") ?? "").origin).toBe(origin);
  });

  test.each([
    " a.local",
    "a.local ",
    "a.local\t",
    "a@b.local",
    "a.local/x",
    "a.local#",
    "a.loc%61l",
    "a:b.local",
    "a\\b.local",
    "fe80::1%eth0",
    "a.local:80",
  ])("%j is not a valid host name", (hostname) => {
    expect(httpOrigin({ hostname }, "http:")).toBeUndefined();
  });

  test("neither are a host that is no text and another protocol", () => {
    expect(httpOrigin({ hostname: 5 }, "http:")).toBeUndefined();
    expect(httpOrigin({ hostname: "a.local", protocol: "ftp:" }, "http:")).toBeUndefined();
  });
});

describe("isPlainRoute", () => {
  const target = "http://a.local";
  class Other extends http.Agent {
    override createConnection = (): never => {
      throw new Error("never");
    };
  }
  class Same extends http.Agent {}

  test.each([
    ["no agent", {}],
    ["agent: false", { agent: false }],
    ["an agent of Node's", { agent: new http.Agent({ keepAlive: true }) }],
    ["a subclass that changes nothing", { agent: new Same() }],
  ])("%s is plain", (_, options) => {
    expect(isPlainRoute(options, "http:", target)).toBe(true);
  });

  test.each([
    ["a socket path", { socketPath: "/x" }],
    ["a connection of the author's", { createConnection: callback }],
    ["an agent that connects by itself", { agent: new Other() }],
    ["an object that looks like an agent", { agent: { addRequest: callback } }],
  ])("%s is not", (_, options) => {
    expect(isPlainRoute(options, "http:", target)).toBe(false);
  });

  test("an agent that takes the environment's proxy is plain where it does not use it", () => {
    const options = { proxyEnv: { HTTP_PROXY: "http://proxy:1", NO_PROXY: ".local" } } as http.AgentOptions;
    const agent = new http.Agent(options);
    // Node before 24.5 knows no such agents.
    const known = Object.getOwnPropertySymbols(agent).some(({ description }) => description === "kProxyConfig");
    expect(isPlainRoute({ agent }, "http:", target)).toBe(true);
    expect(isPlainRoute({ agent }, "http:", "http://example.com")).toBe(!known);
  });
});
