import type { ClientConfig } from "pg";
import { StoreError } from "../../store-error.ts";
import { loadPg, type Client, type Pg, type Pool } from "./load-pg.ts";
import { refusesSettings } from "./postgres-error.ts";
import type { Negotiation, Tls } from "./tls.ts";

export interface ConnectorOptions {
  /** Name of the connection that the server shows, unless the address has a name. */
  readonly name: string;
  /** Milliseconds until a connection counts as lost, unless the address sets a time. */
  readonly connectPatience: number;
  /** Milliseconds until an answer counts as lost. */
  readonly answerPatience: number;
}

/**
 * Settings of a pool's connections. Plans must use the indexes: PostgreSQL keeps the plan of a prepared statement, and
 * a plan that was made for a small table would read every row until autovacuum updates the statistics, minutes later.
 * JIT compilation is off, since it takes longer than these statements run.
 */
const planSettings = "-c enable_seqscan=off -c jit=off";

/** Connects to one server. The driver gets each option separately, and no option that it would ignore. */
export class Connector {
  readonly #negotiation: Negotiation;
  readonly #options: ConnectorOptions;

  constructor(negotiation: Negotiation, options: ConnectorOptions) {
    this.#negotiation = negotiation;
    this.#options = options;
  }

  /** Connects once. `prepare` is called with the client before it connects. */
  async client(prepare: (client: Client) => void): Promise<Client> {
    const ClientClass = this.#clientClass(await loadPg());
    return this.#negotiation.run(async (tls) => {
      const client = new ClientClass(this.#config(tls, ""));
      prepare(client);
      try {
        await client.connect();
        return client;
      } catch (error) {
        await client.end().catch(() => {});
        throw error;
      }
    });
  }

  /** Checks that the server can be used, and returns a function that opens connection pools. */
  async poolMaker(max: number): Promise<() => Pool> {
    const pg = await loadPg();
    const ClientClass = this.#clientClass(pg);
    const makePool = (tls: Tls, settings: string): Pool => {
      const pool = new pg.Pool({ ...this.#config(tls, settings), max, allowExitOnIdle: true, Client: ClientClass });
      // The error is ignored: the next statement replaces a broken idle connection. Without a listener, it would end
      // the process.
      pool.on("error", () => {});
      return pool;
    };
    const tried = async (tls: Tls, settings: string): Promise<() => Pool> => {
      const pool = makePool(tls, settings);
      try {
        await pool.query("SELECT 1");
        return () => makePool(tls, settings);
      } finally {
        await pool.end();
      }
    };
    return this.#negotiation.run((tls) =>
      tried(tls, planSettings).catch((error: unknown) => {
        if (!refusesSettings(error)) throw error;
        return tried(tls, "");
      }),
    );
  }

  /** @param settings Options of the server's command line; options of the address are appended, and take precedence */
  #config(tls: Tls, settings: string): ClientConfig {
    const { login, options } = this.#negotiation.address;
    const patience = Number(options.get("connect_timeout") ?? 0) * 1000;
    const idle = Number(options.get("keepalives_idle") ?? 0) * 1000;
    const negotiation = options.get("sslnegotiation");
    const words = `${settings} ${options.get("options") ?? ""}`.trim();
    const binding = options.get("channel_binding") ?? "disable";
    return {
      ...login,
      ssl: tls,
      connectionTimeoutMillis: patience > 0 ? patience : this.#options.connectPatience,
      query_timeout: this.#options.answerPatience,
      keepAlive: true,
      application_name: options.get("application_name") ?? this.#options.name,
      enableChannelBinding: tls !== false && binding !== "disable",
      ...(idle > 0 && { keepAliveInitialDelayMillis: idle }),
      ...(words !== "" && { options: words }),
      ...(negotiation !== undefined && { sslnegotiation: negotiation as "direct" }),
    };
  }

  /**
   * Returns the driver's client class. For `channel_binding=require`, a subclass that refuses a server which does not
   * offer channel binding.
   */
  #clientClass({ Client: Plain }: Pg): Pg["Client"] {
    const { options, setting, shown } = this.#negotiation.address;
    if (options.get("channel_binding") !== "require") return Plain;
    return class extends Plain {
      constructor(config?: ClientConfig) {
        super(config);
        const refuse = (asked: { readonly mechanisms?: readonly string[] } = {}): void => {
          if (asked.mechanisms?.includes("SCRAM-SHA-256-PLUS") === true) return;
          const text =
            `${setting}: ${shown} does not offer what channel_binding=require asks for: a password by SCRAM over TLS. ` +
            "At the server, turn on TLS (ssl = on) and set the password anew with password_encryption = scram-sha-256.";
          this.connection.stream.destroy(new StoreError(text));
        };
        for (const way of ["authenticationCleartextPassword", "authenticationMD5Password", "authenticationSASL"])
          this.connection.on(way, refuse);
      }
    };
  }
}
