import { expect, test } from "vitest";
import { readConfig } from "../../../../../runtime/service/config/config.ts";
import { helpText } from "../../../../../runtime/service/config/help-text.ts";

test("defaults", () => {
  expect(readConfig({}, [])).toMatchObject({
    host: "0.0.0.0",
    port: 8090,
    allowedHosts: undefined,
    allowedOrigins: [],
    platformBaseUrl: undefined,
    policyUrn: "urn:platform:policy:platform.open.service",
    resourcesFile: "resources.json",
    resourcesFileGiven: false,
    dockerfile: "Dockerfile",
    outbound: { suffixes: [".local", ".minikube", ".platform.net"], sidecarOrigin: undefined, telemetry: [] },
    logLevel: "INFO",
    store: "memory:",
    startTimeout: 60_000,
    shutdownGrace: 25_000,
    flags: {
      printServiceDescription: false,
      printToolDescription: false,
      testFile: undefined,
      testWithoutSidecar: false,
      telemetry: undefined,
      withMcp: false,
      withMcpStdio: false,
      concurrency: undefined,
      help: false,
      version: false,
    },
  });
});

test("it is frozen, and an empty variable is one that is not set", () => {
  const config = readConfig({ HOST: "", PORT: "", PLATFORM_BASE_URL: "", PLATFORM_LOG_LEVEL: "" }, []);
  expect([Object.isFrozen(config), Object.isFrozen(config.flags), config.host, config.port]).toEqual([
    true,
    true,
    "0.0.0.0",
    8090,
  ]);
});

test("the command line goes before the entry, and the entry before the environment", () => {
  const env = { HOST: "1.1.1.1", PORT: "1" };
  const read = (argv: string[], overrides = {}): unknown[] => {
    const { host, port } = readConfig(env, argv, overrides);
    return [host, port];
  };
  expect(read([])).toEqual(["1.1.1.1", 1]);
  expect(read([], { host: "2.2.2.2", port: 2 })).toEqual(["2.2.2.2", 2]);
  expect(read(["--host", "::", "--port=3"], { host: "2.2.2.2", port: 2 })).toEqual(["::", 3]);
});

test("a wrong address is reported where it was written", () => {
  const env = { HOST: "a/b", PORT: "x" };
  const text = (argv: string[], overrides = {}): string => {
    try {
      return String(readConfig(env, argv, overrides).port);
    } catch (error) {
      return (error as Error).message.split(" is not")[0] ?? "";
    }
  };
  expect(text([])).toBe('HOST: "a/b"');
  expect(text([], { host: "c/d" })).toBe('The option host: "c/d"');
  expect(text(["--host", "e/f"], { host: "c/d" })).toBe('--host: "e/f"');
  expect(text([], { host: "::1" })).toBe('PORT: "x"');
  expect(text([], { host: "::1", port: 65_536 })).toBe('The option port: "65536"');
  expect(text(["--port", "y"], { host: "::1", port: 1 })).toBe('--port: "y"');
});

test("flags with values, without, and with optional ones", () => {
  const { flags } = readConfig({}, [
    "--print-service-description",
    "--test-file",
    "a b.json",
    "--tool=x",
    "--with-telemetry",
  ]);
  expect(flags).toMatchObject({ printServiceDescription: true, testFile: "a b.json", tool: "x", telemetry: true });
  expect(readConfig({}, ["--print-tool-description", "isPrime"]).flags.printToolDescription).toBe("isPrime");
  expect(readConfig({}, ["--without-telemetry"]).flags.telemetry).toBe(false);
  const concurrency = (flags: string[], option?: number): number =>
    readConfig({}, flags, option === undefined ? {} : { concurrency: option }, "batch").concurrency;
  expect([concurrency([]), concurrency([], 3), concurrency(["--concurrency", "4"], 3)]).toEqual([1, 3, 4]);
  expect(() => concurrency([], 0.5)).toThrow("The option concurrency is 0.5; it must be a whole number from 1.");
});

test("lists of hosts and origins", () => {
  const config = readConfig(
    {
      TENON_ALLOWED_HOSTS: "Tools.example.org, tools.example.org:8080,bücher.example,",
      TENON_ALLOWED_ORIGINS: "https://app.example.org/, http://localhost:3000",
    },
    [],
  );
  expect(config.allowedHosts).toEqual(["tools.example.org", "tools.example.org", "xn--bcher-kva.example"]);
  expect(config.allowedOrigins).toEqual(["https://app.example.org", "http://localhost:3000"]);
});

const usage: readonly [string[], string][] = [
  [["--nope"], "Unknown flag --nope. Try --help."],
  [["--Port", "1"], "Unknown flag --Port. Did you mean --port? Try --help."],
  [["serve"], 'Unexpected argument "serve". Try --help.'],
  [["-p", "1"], 'Unexpected argument "-p". Try --help.'],
  [["--"], 'Unexpected argument "--". Try --help.'],
  [["--port"], "--port needs a value: --port N. Try --help."],
  [["--port="], "--port needs a value: --port N. Try --help."],
  [["--port", "--with-mcp"], "--port needs a value: --port N. Try --help."],
  [["--port", "99999"], '--port: "99999" is not a valid port; write a number from 0 to 65535. Try --help.'],
  [["--port", "80a"], '--port: "80a" is not a valid port; write a number from 0 to 65535. Try --help.'],
  [
    ["--host", "a b"],
    '--host: "a b" is not a valid address to listen on; write one such as 127.0.0.1, :: or localhost. Try --help.',
  ],
  [["--with-mcp=yes"], "--with-mcp takes no value. Try --help."],
  [["--port", "1", "--port", "2"], "--port is given twice. Try --help."],
  [["--with-mcp", "--with-mcp-stdio"], "--with-mcp and --with-mcp-stdio exclude each other. Try --help."],
  [
    ["--with-telemetry", "--without-telemetry"],
    "--with-telemetry and --without-telemetry exclude each other. Try --help.",
  ],
  [["--concurrency", "2"], "Unknown flag --concurrency. Try --help."],
];
for (const [argv, message] of usage) {
  test(`${argv.join(" ")}: exit code 2`, () => {
    expect(() => readConfig({}, argv)).toThrow(expect.objectContaining({ name: "UsageError", message, exitCode: 2 }));
  });
}

test("flags of a batch service", () => {
  for (const argv of [["--port", "1"], ["--with-mcp"]]) {
    expect(() => readConfig({}, argv, {}, "batch")).toThrow(
      expect.objectContaining({ message: `Unknown flag ${argv[0]}. Try --help.` }),
    );
  }
  expect(() => readConfig({}, ["--concurrency", "0"], {}, "batch")).toThrow(
    '--concurrency is "0"; it must be a whole number from 1.',
  );
});

const variables: readonly [Record<string, string>, string][] = [
  [{ PORT: "-1" }, 'PORT: "-1" is not a valid port; write a number from 0 to 65535.'],
  [
    { HOST: "http://x" },
    'HOST: "http://x" is not a valid address to listen on; write one such as 127.0.0.1, :: or localhost.',
  ],
  [{ PLATFORM_LOG_LEVEL: "info" }, 'PLATFORM_LOG_LEVEL is "info"; allowed: DEBUG, INFO, WARNING, ERROR, CRITICAL.'],
  [{ PLATFORM_SHUTDOWN_GRACE: "soon" }, 'PLATFORM_SHUTDOWN_GRACE is "soon"; it must be a number of seconds.'],
  [{ PLATFORM_BASE_URL: "localhost:9999" }, 'PLATFORM_BASE_URL is "localhost:9999"; it must be an http or https URL.'],
  [{ PLATFORM_PROXY_URL: "x" }, 'PLATFORM_PROXY_URL is "x"; it must be an http or https URL.'],
  [
    { TENON_ALLOWED_HOSTS: "https://a" },
    'TENON_ALLOWED_HOSTS: "https://a" is not a valid host; write one such as tools.example.org.',
  ],
  [
    { TENON_ALLOWED_ORIGINS: "*" },
    'TENON_ALLOWED_ORIGINS: "*" is not a valid origin; write one such as https://app.example.org.',
  ],
  [
    { TENON_ALLOWED_ORIGINS: "https://a/b" },
    'TENON_ALLOWED_ORIGINS: "https://a/b" is not a valid origin; write one such as https://app.example.org.',
  ],
];
for (const [env, message] of variables) {
  test(`${JSON.stringify(env)}: exit code 1`, () => {
    expect(() => readConfig(env, [])).toThrow(expect.objectContaining({ name: "StartError", message, exitCode: 1 }));
  });
}

test("help lists the flags of its flavour", () => {
  const text = helpText("Prime numbers", "lambda");
  expect(text.split("\n").slice(0, 5)).toEqual([
    "Prime numbers",
    "",
    "Flags:",
    "  --host ADDRESS                      address to listen on (env HOST, default 0.0.0.0)",
    "  --port N                            port to listen on, 0 for any (env PORT, default 8090)",
  ]);
  expect(text).toContain("  --print-tool-description [TOOL]     print the tool description, and end\n");
  expect(text).not.toContain("--concurrency");
  expect(helpText("x", "batch")).toContain("--concurrency N");
});
