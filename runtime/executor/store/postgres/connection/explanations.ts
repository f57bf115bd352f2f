const changedTables =
  "has a schema {schema} that is not as tenon made it ({reason}). Restore it, or name another schema.";

/**
 * Explanations of errors for the operator of the service: a pattern of code and message, and what follows the address.
 * The first pattern that matches counts. No explanation advises less protection than the address asks for: the error
 * may come from somebody in the middle.
 */
const explanations: readonly (readonly [pattern: RegExp, explanation: string])[] = [
  // The server refuses the user or the connection.
  [
    /client password must be|^28P01 empty password/,
    "asks for a password, and has got none. Write postgres://USER:PASSWORD@HOST/DATABASE, or set PGPASSWORD.",
  ],
  [/^28P01 /, "refuses the user or its password. Check both, and the server's pg_hba.conf."],
  [
    /^28000 .*client certificate/,
    "demands a certificate of the client ({reason}). Name it and its key with sslcert=FILE and sslkey=FILE.",
  ],
  [
    /^28000 certificate authentication/,
    "does not take this certificate for this user ({reason}). Name one of the user with sslcert=FILE, or map its name in the server's pg_ident.conf.",
  ],
  [
    /^28000 .*no encryption$/,
    "refuses a connection without TLS ({reason}). Write sslmode=verify-full or sslmode=require if it demands TLS; otherwise let its pg_hba.conf admit this host, user and database.",
  ],
  [
    /^28000 .*pg_hba\.conf/,
    "refuses the connection ({reason}). Let the server's pg_hba.conf admit this host, user and database.",
  ],
  [/^28000 role /, "refuses the user ({reason}). Check the user, or create it with the right to log in."],
  [/^28000 /, "refuses the user or its password ({reason}). Check both, and the server's pg_hba.conf."],
  [
    /SASL: SCRAM-SERVER-FINAL-MESSAGE/,
    "does not prove that it knows the password, so it may be another server ({reason}). Check host and port.",
  ],
  [/^3D000 /, "is not a database of this server. Create it, or name another one."],
  [
    /^42501 /,
    'does not let this user create or use the schema {schema}. Grant it, or let an administrator run the output of "tenon store migrate --print".',
  ],
  [/^(?:42P01|42703|3F000) /, changedTables],
  // The server is there, and cannot do it.
  [/^53100 /, "has no room left on its disk. Free some; jobs go on then by themselves."],
  [/^53300 /, "has no free connection: a replica needs four. Raise max_connections, or put a pooler in front."],
  [
    /^(?:55P03|57014) /,
    "ended a statement after its statement_timeout or lock_timeout. Raise it for this user, or look for what keeps the server busy.",
  ],
  // The message of a `ReadOnlyPrimary`.
  [
    /^25006 read-only$/,
    "is the primary server, but read-only by its setting default_transaction_read_only. Turn it off where it is set: ALTER DATABASE or ALTER ROLE … RESET default_transaction_read_only, the server's configuration, or options= of the address. Some providers set it while a disk is full.",
  ],
  [/^25006 /, "is a read-only standby. Give the address of the primary server."],
  // TLS fails by the server's certificate.
  [
    /^ERR_TLS_CERT_ALTNAME_INVALID /,
    "has a certificate of another name ({reason}). Write the host as it stands in the certificate, or give the server one with this name.",
  ],
  [
    /^CERT_(?:HAS_EXPIRED|NOT_YET_VALID) /,
    "has a certificate that is not valid at this time ({reason}). Renew it, or that of its authority, at the server; or set the clock here.",
  ],
  [
    /^(?:\w*SELF_SIGNED_CERT\w*|UNABLE_TO_\w+|CERT_\w+|INVALID_(?:CA|PURPOSE)|PATH_LENGTH_EXCEEDED) /,
    "has a certificate that is not trusted here ({reason}). Let sslrootcert=FILE name the certificate of its authority.",
  ],
  // TLS fails by the files of the address.
  [
    /key values mismatch/,
    "is not reached: the key in sslkey does not belong to the certificate in sslcert. Name two that belong together.",
  ],
  [
    /bad decrypt|interrupted or cancelled|bad password read|^ERR_MISSING_PASSPHRASE /,
    "is not reached: the key in sslkey cannot be decrypted. Give its password with sslpassword=PASSWORD.",
  ],
  [
    /:(?:PEM|DECODER|asn1 encoding) routines:/,
    "is not reached: a file of sslcert, sslkey or sslrootcert is damaged or not in PEM form ({reason}). Replace it.",
  ],
  [
    /alert (?:unknown ca|bad certificate|unsupported certificate|certificate \w+)/,
    "does not take the certificate of the client ({reason}). Name with sslcert=FILE one of an authority that the server trusts (ssl_ca_file).",
  ],
  // TLS fails by versions, or by what the other side is.
  [
    /no protocols available/,
    "is not reached: no version of TLS is from ssl_min_protocol_version to ssl_max_protocol_version. Change one of them.",
  ],
  [
    /alert protocol version|unsupported protocol|version too low|no shared cipher|alert handshake failure/,
    "has no version or cipher of TLS in common with this client ({reason}). Check ssl_min_protocol_version and ssl_max_protocol_version, here and at the server.",
  ],
  [
    /before secure TLS connection was established/,
    "ended the connection where TLS begins. Check its log; sslnegotiation=direct needs PostgreSQL 17 or later.",
  ],
  [
    /error establishing an SSL connection|wrong version number|packet length too long|record layer failure/,
    "answers the request for TLS as no PostgreSQL server does. Check that one listens there, and its log.",
  ],
  [
    /does not support SSL connections/,
    "offers no TLS, which this connection needs. Turn it on at the server (ssl = on). If it is on, something on the way to the server hides it.",
  ],
  [
    /error:[\dA-F]{8}:|^(?:EPROTO|ERR_SSL_\w+|ERR_OSSL_\w+) /,
    "cannot be reached by TLS ({reason}). Check the server's log, and the options of the address that begin with ssl.",
  ],
  // The network, or the socket.
  [/^ECONNREFUSED /, "cannot be reached: nothing listens there. Start the server, or check host and port."],
  [/^(?:ENOTFOUND|EAI_AGAIN) /, "cannot be reached: its host name is not known here. Check the name."],
  [
    /^(?:EHOSTUNREACH|ENETUNREACH|ETIMEDOUT) /,
    "cannot be reached: the network gives no answer. Check host, port and firewall.",
  ],
  [/^ENOENT /, "cannot be reached: its socket is not there ({reason}). Start the server, or check host and port."],
  [/^(?:EACCES|EPERM) /, "cannot be reached: this user may not open its socket ({reason}). Grant it, or use a port."],
  [
    /^(?:ECONNRESET|EPIPE) |^ Connection terminated unexpectedly$/,
    "ended the connection. Check that a PostgreSQL server listens there, and its log.",
  ],
  [
    /^ .*timeout/,
    "cannot be reached: it gives no answer. Check host, port and firewall, and that a PostgreSQL server listens there.",
  ],
  [/(?:)/, "cannot be used: {reason}."],
];

/** The reason in an error of OpenSSL: ID:error:CODE:LIBRARY:FUNCTION:REASON:FILE:…, of which parts may be left out. */
const openSslReason = /error:[\dA-F]{8}:[^:]*:[^:]*:([^:]+).*/;

/**
 * Explains an error in one line.
 * @param code The code of the server, the system or OpenSSL; empty if the error has none
 */
export function explain(code: string, message: string, shown: string, schema: string): string {
  const line = message.split("\n", 1)[0] ?? "";
  const [, explanation = ""] = explanations.find(([pattern]) => pattern.test(`${code} ${line}`)) ?? [];
  // Node adds an advice about its own options.
  const text = line.replace(/; if the root CA is installed locally.*/, "");
  const reason = (openSslReason.exec(text)?.[1] ?? text).replace(/[.:\s]+$/, "");
  return `${shown} ${filled(explanation, schema, reason)}`;
}

/** Explains that somebody has changed the tables. */
export function notOurs(shown: string, schema: string, why: string): string {
  return `${shown} ${filled(changedTables, schema, why)}`;
}

function filled(explanation: string, schema: string, reason: string): string {
  return explanation.replaceAll(/\{(reason|schema)\}/g, (_, name) => (name === "schema" ? schema : reason));
}
