import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { loggingInit } from "../../../../../../../runtime/telemetry/log/logging.ts";
import { readAddress } from "../../../../../../../runtime/executor/store/postgres/connection/address.ts";
import { Negotiation } from "../../../../../../../runtime/executor/store/postgres/connection/tls.ts";
import { openPostgresStore } from "../../../../../../../runtime/executor/store/postgres/open-postgres.ts";
import { migrateStore } from "../../../../../../../cli/platform/migrate-store.ts";
import { openStore } from "../../../../../../../runtime/executor/store/open-store.ts";
import { postgresPassword, startPostgres, type PostgresServer } from "../../../../../../support/postgres-server.ts";
import { startTcpProxy, type TcpProxy } from "../../../../../../support/tcp-proxy.ts";

/** Resolves to the loopback, and is not one of its names: a server elsewhere, as far as anyone can tell. */
const elsewhere = "127.1";

let folder: string;
let plain: PostgresServer;
let secure: PostgresServer;
let lines: string[] = [];
beforeAll(async () => {
  loggingInit({ write: (line) => lines.push(line) });
  folder = mkdtempSync(join(tmpdir(), "tenon-tls-"));
  const words = "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -keyout key.pem -out cert.pem";
  const made = spawnSync("openssl", [...words.split(" "), "-addext", "subjectAltName=DNS:localhost"], { cwd: folder });
  if (made.status !== 0) throw new Error(`openssl: ${String(made.error ?? made.stderr)}`);
  for (const file of ["key.pem", "cert.pem"]) {
    chmodSync(join(folder, file), 0o600);
    if (process.getuid?.() === 0) chownSync(join(folder, file), 65_534, 65_534);
  }
  chmodSync(folder, 0o755);
  plain = await startPostgres();
  secure = await startPostgres({ settings: withTls() });
});
afterAll(async () => {
  await plain.stop();
  await secure.stop();
  rmSync(folder, { recursive: true });
});
afterEach(() => {
  lines = [];
});

function withTls(): string[] {
  return ["ssl=on", `ssl_cert_file=${join(folder, "cert.pem")}`, `ssl_key_file=${join(folder, "key.pem")}`];
}

/** True when each connection of an open store uses TLS, false when none does; or why it does not open. */
async function tlsOf(server: PostgresServer, host: string, options: string): Promise<boolean | string> {
  const url = `${server.url().replace("127.0.0.1", host)}?${options}`;
  let store: Awaited<ReturnType<typeof openStore>>;
  try {
    store = await openStore(url);
  } catch (error) {
    return String((error as Error).message).replaceAll(postgresPassword, "(the password is shown)");
  }
  const client = new pg.Client(server.url());
  await client.connect();
  const { rows } = await client.query<{ ssl: boolean }>(
    "SELECT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name LIKE 'tenon%'",
  );
  await client.end();
  await store.close();
  // The connection that listens is one of them.
  expect(rows.length).toBeGreaterThanOrEqual(2);
  expect(new Set(rows.map(({ ssl }) => ssl)).size).toBe(1);
  return rows[0]?.ssl === true;
}

test("a server elsewhere that refuses TLS by its rules is not said to have none", async () => {
  const negotiation = new Negotiation(readAddress("postgres://ann:secret@db.example.org/jobs"));
  const refused = Object.assign(new Error("connection requires a valid client certificate"), { code: "28000" });
  await negotiation.run(async (tls) => (tls === false ? undefined : Promise.reject(refused)));
  await expect.poll(() => lines.join("")).toMatch(/reached without TLS \(it refused it\).* Look into its pg_hba\.conf/);
});

describe("sslmode is what it is for psql", () => {
  const inClear = /without TLS/;

  test("left out: TLS with a server elsewhere that offers it, and none with one on this machine", async () => {
    expect(await tlsOf(secure, elsewhere, "")).toBe(true);
    expect(await tlsOf(secure, "localhost", "")).toBe(false);
    expect(lines.join("")).not.toMatch(inClear);
  });

  test("left out, and the server elsewhere offers none: one line says so, without the password", async () => {
    expect(await tlsOf(plain, elsewhere, "")).toBe(false);
    const told = lines.filter((line) => inClear.test(line));
    expect(told).toHaveLength(1);
    expect(told[0]).toContain(`@${elsewhere}:${plain.port}/postgres is reached without TLS`);
    expect(told.join("")).not.toContain(postgresPassword);
  });

  test("the line comes before the password, so also when the server refuses it", async () => {
    const wrong = plain.url().replace(postgresPassword, "wrong").replace("127.0.0.1", elsewhere);
    await expect(openStore(wrong)).rejects.toThrow("TENON_STORE");
    await expect.poll(() => lines.filter((line) => inClear.test(line))).toHaveLength(1);
  });

  test("disable: none, which is told for a server elsewhere; allow: none first; prefer: TLS first", async () => {
    expect(await tlsOf(secure, elsewhere, "sslmode=disable")).toBe(false);
    expect(lines.join("")).toContain("(sslmode=disable)");
    expect(await tlsOf(secure, elsewhere, "sslmode=allow")).toBe(false);
    expect(await tlsOf(secure, "localhost", "sslmode=prefer")).toBe(true);
    expect(await tlsOf(plain, "localhost", "sslmode=prefer")).toBe(false);
  });

  test("require takes any certificate; with sslrootcert one of that authority; verify-full also checks the name", async () => {
    expect(await tlsOf(secure, elsewhere, "sslmode=require")).toBe(true);
    expect(await tlsOf(secure, elsewhere, "ssl=true")).toBe(true);
    expect(await tlsOf(plain, elsewhere, "sslmode=require")).toContain("offers no TLS");
    const root = `sslrootcert=${join(folder, "cert.pem")}`;
    for (const mode of ["require", "verify-ca"]) {
      expect(await tlsOf(secure, elsewhere, `sslmode=${mode}&${root}`)).toBe(true);
    }
    expect(await tlsOf(secure, "localhost", `sslmode=verify-full&${root}`)).toBe(true);
    expect(await tlsOf(secure, elsewhere, `sslmode=verify-full&${root}`)).toContain("a certificate of another name");
    expect(await tlsOf(secure, "localhost", "sslmode=verify-full")).toContain("certificate that is not trusted");
    expect(await tlsOf(secure, "localhost", "sslrootcert=system")).toContain("certificate that is not trusted");
  });

  test("channel_binding=require: with a server that proves itself over the same TLS, and no other", async () => {
    expect(await tlsOf(secure, "localhost", "sslmode=require&channel_binding=require")).toBe(true);
    expect(await tlsOf(plain, "localhost", "channel_binding=require")).toContain(
      "what channel_binding=require asks for",
    );
  });

  test("sslnegotiation=direct asks for TLS by itself", async () => {
    expect(await tlsOf(secure, "localhost", "sslnegotiation=direct")).toBe(true);
    expect(await tlsOf(secure, "localhost", "sslnegotiation=direct&sslmode=prefer")).toContain("needs sslmode=require");
  });
});

describe("files and versions that TLS cannot use are named", () => {
  const at = (name: string): string => join(folder, name);
  beforeAll(() => {
    const make = (words: string): void => {
      const made = spawnSync("openssl", words.split(" "), { cwd: folder });
      if (made.status !== 0) throw new Error(`openssl: ${String(made.error ?? made.stderr)}`);
    };
    make("genrsa -out other-key.pem 2048");
    make("rsa -in other-key.pem -aes128 -passout pass:right -out locked-key.pem");
    writeFileSync(at("empty.pem"), "hello\n");
  });

  test.for([
    ["sslrootcert=empty.pem", /^TENON_STORE has sslrootcert=\S+, in which there is no certificate in PEM form/],
    ["sslcert=key.pem&sslkey=key.pem", /^TENON_STORE has sslcert=\S+, in which there is no certificate in PEM form/],
    ["sslcert=cert.pem&sslkey=cert.pem", /^TENON_STORE has sslkey=\S+, in which there is no private key in PEM form/],
    ["sslcert=cert.pem&sslkey=other-key.pem", /the key in sslkey does not belong to the certificate in sslcert/],
    ["sslcert=cert.pem&sslkey=locked-key.pem&sslpassword=wrong", /the key in sslkey cannot be decrypted/],
    ["ssl_min_protocol_version=TLSv1.3&ssl_max_protocol_version=TLSv1.2", /no version of TLS is from/],
  ] as const)("%s", async ([options, message]) => {
    const named = options.replaceAll(/=([\w-]+\.pem)/g, (_, name: string) => `=${at(name)}`);
    expect(await tlsOf(secure, "localhost", `sslmode=require&${named}`)).toMatch(message);
  });
});

describe("the server's reason for a refusal is shown", () => {
  /** Runs with other rules of who may connect. */
  async function withRules(
    rules: string,
    settings: readonly string[],
    run: (server: PostgresServer) => Promise<void>,
  ): Promise<void> {
    const server = await startPostgres({ settings });
    try {
      await server.halt();
      writeFileSync(join(server.data, "pg_hba.conf"), rules);
      await server.start();
      await run(server);
    } finally {
      await server.stop();
    }
  }

  test("a client certificate is demanded, also where a try without TLS follows or precedes", async () => {
    const settings = [...withTls(), `ssl_ca_file=${join(folder, "cert.pem")}`];
    await withRules("hostssl all all all scram-sha-256 clientcert=verify-ca\n", settings, async (server) => {
      for (const [host, options] of [
        ["localhost", "sslmode=require"],
        ["localhost", ""],
        [elsewhere, ""],
      ] as const) {
        expect(await tlsOf(server, host, options)).toContain(
          "demands a certificate of the client (connection requires a valid client certificate). Name it and its key with " +
            "sslcert=FILE and sslkey=FILE.",
        );
      }
      expect(await tlsOf(server, "localhost", "sslmode=disable")).toMatch(
        /refuses a connection without TLS \(no pg_hba\.conf entry .*, no encryption\)\. Write sslmode=verify-full or /,
      );
    });
  });

  test("nobody may connect, and that the server has no TLS is not called the reason", async () => {
    const rules = "local all all trust\n";
    await withRules(rules, withTls(), async (server) => {
      expect(await tlsOf(server, elsewhere, "")).toMatch(
        /refuses the connection \(no pg_hba\.conf entry .*, SSL encryption\)\. Let the server's pg_hba\.conf admit/,
      );
    });
    await withRules(rules, [], async (server) => {
      for (const host of ["localhost", elsewhere])
        expect(await tlsOf(server, host, "")).toMatch(/\(no pg_hba\.conf entry .*, no encryption\)/);
    });
  });
});

describe("somebody in the middle answers that the server offers no TLS", () => {
  /** The code of a request for TLS, where others have the version of the protocol. */
  const tlsRequest = 80_877_103;
  let proxy: TcpProxy;
  /** Called with the number of each request for TLS; true: it is refused. */
  let refuses: (request: number) => boolean;
  let requests: number;
  /** Connections that went on without TLS. */
  let inClear: number;
  beforeEach(async () => {
    [requests, inClear] = [0, 0];
    proxy = await startTcpProxy(secure.port, (opening) => {
      if (opening.readInt32BE(4) !== tlsRequest) inClear++;
      else if (refuses(++requests)) return "N";
      return undefined;
    });
  });
  afterEach(() => proxy.close());

  function through(schema: string): string {
    return secure.url(schema).replace(`127.0.0.1:${secure.port}`, `${elsewhere}:${proxy.port}`);
  }

  /** Opens a store, and closes it again. */
  async function open(url: string, options: Parameters<typeof openPostgresStore>[1] = {}): Promise<void> {
    const store = await openPostgresStore(url, options);
    await store.close();
  }

  test("to any connection after the first one that has TLS: none goes on without TLS, and the start is refused", async () => {
    refuses = () => false;
    await open(through("middle"));
    const usual = requests;
    expect(usual).toBeGreaterThan(2);
    for (let refused = 2; refused <= usual; refused++) {
      requests = 0;
      refuses = (request) => request === refused;
      await expect(open(through("middle")), `request ${refused}`).rejects.toThrow("offers no TLS");
    }
    expect(inClear).toBe(0);
  });

  test("after breaking a later connection, while the start waits for the server", async () => {
    refuses = (request) => {
      if (request === 3) proxy.cut();
      return request > 2;
    };
    await expect(open(through("middle"), { patience: 60_000 })).rejects.toThrow("offers no TLS");
    expect(requests).toBeGreaterThan(3);
    expect(inClear).toBe(0);
  });

  test("to the connections of a platform's tables, after its jobs have theirs", async () => {
    refuses = () => false;
    await migrateStore(through("platform"), true);
    requests = 0;
    await migrateStore(through("platform"), true);
    const usual = requests;
    expect(usual).toBeGreaterThan(2);
    for (let refused = 2; refused <= usual; refused++) {
      requests = 0;
      refuses = (request) => request === refused;
      await expect(migrateStore(through("platform"), true), `request ${refused}`).rejects.toThrow("offers no TLS");
    }
    expect(inClear).toBe(0);
  });

  test("at TENON_STORE_LISTEN_URL, another address: it negotiates on its own, and the log warns", async () => {
    refuses = () => true;
    const url = secure.url("apart").replace("127.0.0.1", elsewhere);
    await open(url, { listenUrl: through("apart") });
    expect(inClear).toBe(1);
    const told = lines.filter((line) => line.includes("is reached without TLS"));
    expect(told).toHaveLength(1);
    expect(told[0]).toContain("TENON_STORE_LISTEN_URL: ");
  });
});

describe("what the address says is carried out, or refused by name", () => {
  test.each([
    [
      "sslmod=require",
      'has the option "sslmod", which the address of a PostgreSQL database does not have. Did you mean sslmode?',
    ],
    ["SSLMODE=require", "Did you mean sslmode?"],
    ["pgbouncer=true", 'has the option "pgbouncer"'],
    ["sslmode=no-verify", 'has sslmode="no-verify". Write disable, allow, prefer, require, verify-ca or verify-full.'],
    ["sslmode=verify-ca", "without sslrootcert=FILE"],
    ["sslrootcert=/nowhere.pem&sslmode=require", "has sslrootcert=/nowhere.pem, which cannot be read (ENOENT)"],
    ["sslcrl=/x", "has the option sslcrl, which tenon cannot carry out"],
    ["target_session_attrs=standby", "Write any, read-write or primary."],
    ["listen=of", 'has listen="of". Write on or off.'],
    ["connect_timeout=abc", 'has connect_timeout="abc". Write a whole number of seconds.'],
    ["keepalives_idle=1.5", 'has keepalives_idle="1.5". Write a whole number of seconds.'],
    ["port=x", 'has the port "x"'],
  ])("%s", async (options, message) => {
    const told = await tlsOf(plain, "localhost", options);
    expect(told).toContain(message);
    expect(told).toMatch(/^TENON_STORE has /);
  });

  // The options of libpq 18.
  test.each(
    (
      "host hostaddr port dbname user password passfile require_auth channel_binding connect_timeout client_encoding " +
      "options application_name fallback_application_name keepalives keepalives_idle keepalives_interval " +
      "keepalives_count tcp_user_timeout replication gssencmode sslmode requiressl sslnegotiation sslcompression " +
      "sslcert sslkey sslkeylogfile sslpassword sslcertmode sslrootcert sslcrl sslcrldir sslsni requirepeer " +
      "ssl_min_protocol_version ssl_max_protocol_version min_protocol_version max_protocol_version krbsrvname gsslib " +
      "gssdelegation scram_client_key scram_server_key service servicefile target_session_attrs load_balance_hosts " +
      "oauth_issuer oauth_client_id oauth_client_secret oauth_scope"
    ).split(" "),
  )("an option that psql knows is never called unknown: %s", (name) => {
    let said = "";
    try {
      readAddress(`postgres://u@h/d?${name}=x`, "TENON_STORE", {});
    } catch (error) {
      said = String(error);
    }
    expect(said).not.toContain("does not have");
  });

  test.each([
    "password=abc&REST",
    "password=abc&REST=x",
    "sslpassword=abc&REST%20=",
    "sslmode=require&password=a&REST&b",
  ])("an unescaped & in a password: what follows it is not shown (%s)", (query) => {
    const read = (): unknown => readAddress(`postgres://u@h/d?${query}`, "TENON_STORE", {});
    expect(read).toThrow(/^(?!.*(?:REST|abc)).*%26/);
  });

  test.each([
    "postgres://jo:p%ZZ@h/d",
    "postgres://jo:50%@h/d",
    "postgres://h/d?password=p%ZZ",
    "postgres://jo:a/b@h/d",
  ])("percent-encoding is named: %s", (spec) => {
    const read = (): unknown => readAddress(spec, "TENON_STORE", {});
    expect(read).toThrow("percent-encode special characters of user and password: %25 for %, %40 for @");
    expect(read).toThrow(/^(?!.*(?:ZZ|50%|jo:))TENON_STORE is not a valid address/);
  });

  test("the shown address has the parts that the environment gives", () => {
    const env = { PGHOST: "db.test", PGPORT: "6543", PGUSER: "jo", PGPASSWORD: "secret" };
    const shown = (spec: string, of: NodeJS.ProcessEnv): string => readAddress(spec, "TENON_STORE", of).shown;
    expect(shown("postgres:///jobs", env)).toBe("postgres://jo@db.test:6543/jobs");
    expect(shown("postgres://", env)).toBe("postgres://jo@db.test:6543/jo");
    expect(shown("postgres://", { ...env, PGDATABASE: "d" })).toBe("postgres://jo@db.test:6543/d");
    expect(shown("postgres://me@h:1/x", env)).toBe("postgres://me@h:1/x");
    expect(shown("postgres:///jobs", { PGHOST: "" })).toBe("postgres://localhost:5432/jobs");
  });

  test("several hosts", async () => {
    await expect(openStore("postgres://u:p@a:1,b:2/db")).rejects.toThrow("names several hosts");
    await expect(openStore("postgres://u:p@/db?host=a,b")).rejects.toThrow("names several hosts");
  });

  test("options stand for parts of the address; percent signs, # and + are read as psql reads them", () => {
    const read = (spec: string): unknown => readAddress(spec, "TENON_STORE", {}).login;
    expect(read("postgres://u:p#a+%2F@h:5433/d?user=v&port=6&dbname=e")).toEqual({
      host: "h",
      port: 6,
      user: "v",
      password: "p#a+/",
      database: "e",
    });
    expect(read("postgres:///d?host=/run/pg")).toMatchObject({ host: "/run/pg", database: "d" });
    expect(read("postgresql://%2Frun%2Fpg/d")).toMatchObject({ host: "/run/pg" });
    expect(read("postgres://[::1]:5/d")).toMatchObject({ host: "::1", port: 5 });
    expect(read("postgres://u@h?options=-c%20a=b+c")).toMatchObject({ host: "h" });
    expect(readAddress("postgres://u@h?options=-c%20a=b+c").options.get("options")).toBe("-c a=b+c");
  });

  test("the environment of psql stands in for what the address leaves out", () => {
    expect(readAddress("postgres://h/d", "TENON_STORE", { PGSSLMODE: "require" }).options.get("sslmode")).toBe(
      "require",
    );
    expect(() => readAddress("postgres://h/d", "TENON_STORE", { PGSSLMODE: "on" })).toThrow("PGSSLMODE has sslmode");
    const refused = { PGREQUIREAUTH: "scram-sha-256", PGSSLCRL: "/x", PGSERVICE: "s", PGCONNECT_TIMEOUT: "soon" };
    for (const [name, value] of Object.entries(refused))
      expect(() => readAddress("postgres://h/d", "TENON_STORE", { [name]: value })).toThrow(`${name} `);
    for (const name of ["PGPASSFILE", "PGSERVICEFILE", "PGREQUIRESSL"])
      expect(
        readAddress("postgres://h/d", "TENON_STORE", { [name]: name === "PGREQUIRESSL" ? "" : "/x" }),
      ).toBeDefined();
  });
});
