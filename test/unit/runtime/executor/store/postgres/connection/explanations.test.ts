import { expect, test } from "vitest";
import { explainPostgres } from "../../../../../../../runtime/executor/store/postgres/connection/postgres-error.ts";

const shown = "postgres://jo@db:5432/jobs";
const openSsl = "406D03AE9F7F0000:error:0A000418:SSL routines:ssl3_read_bytes";
const file = "../deps/openssl/openssl/ssl/record/rec_layer_s3.c:918:";
const noEntry = 'no pg_hba.conf entry for host "10.0.0.7", user "jo", database "jobs"';

function explained(code: string, message: string): string {
  const error = Object.assign(new Error(message), code !== "" && { code });
  return explainPostgres(error, shown, "tenon").replace(`${shown} `, "");
}

// Messages of PostgreSQL 15 to 17, of the driver and of the OpenSSL in Node.
test.for([
  ["28P01", 'password authentication failed for user "jo"', "refuses the user or its password. Check both"],
  ["28P01", "empty password returned by client", "asks for a password, and has got none. Write postgres://"],
  ["", "SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string", "asks for a password, and has got none."],
  [
    "",
    "SASL: SCRAM-SERVER-FINAL-MESSAGE: server signature does not match",
    "does not prove that it knows the password, so it may be another server (SASL: SCRAM-SERVER-FINAL-MESSAGE: server signature does not match). Check host and port.",
  ],
  [
    "28000",
    "connection requires a valid client certificate",
    "demands a certificate of the client (connection requires a valid client certificate). Name it and its key with sslcert=FILE and sslkey=FILE.",
  ],
  [
    "28000",
    'certificate authentication failed for user "jo"',
    'does not take this certificate for this user (certificate authentication failed for user "jo"). Name one of the user with sslcert=FILE',
  ],
  [
    "28000",
    `${noEntry}, no encryption`,
    `refuses a connection without TLS (${noEntry}, no encryption). Write sslmode=verify-full or sslmode=require if it demands TLS`,
  ],
  [
    "28000",
    `${noEntry}, SSL encryption`,
    `refuses the connection (${noEntry}, SSL encryption). Let the server's pg_hba.conf admit this host, user and database.`,
  ],
  ["28000", 'role "jo" does not exist', 'refuses the user (role "jo" does not exist). Check the user, or create it'],
  [
    "28000",
    'Peer authentication failed for user "jo"',
    'refuses the user or its password (Peer authentication failed for user "jo"). Check both',
  ],
  [
    "ERR_TLS_CERT_ALTNAME_INVALID",
    "Hostname/IP does not match certificate's altnames: IP: 10.0.0.7 is not in the cert's list: ",
    "has a certificate of another name (Hostname/IP does not match certificate's altnames: IP: 10.0.0.7 is not in the cert's list). Write the host as it stands",
  ],
  [
    "CERT_HAS_EXPIRED",
    "certificate has expired",
    "has a certificate that is not valid at this time (certificate has expired). Renew it",
  ],
  [
    "SELF_SIGNED_CERT_IN_CHAIN",
    "self-signed certificate in certificate chain; if the root CA is installed locally, try running Node.js with --use-system-ca",
    "has a certificate that is not trusted here (self-signed certificate in certificate chain). Let sslrootcert=FILE name the certificate of its authority.",
  ],
  [
    "ERR_OSSL_X509_KEY_VALUES_MISMATCH",
    "error:05800074:x509 certificate routines::key values mismatch",
    "is not reached: the key in sslkey does not belong to the certificate in sslcert.",
  ],
  [
    "ERR_OSSL_BAD_DECRYPT",
    "error:1C800064:Provider routines::bad decrypt",
    "is not reached: the key in sslkey cannot be decrypted. Give its password with sslpassword=PASSWORD.",
  ],
  [
    "ERR_OSSL_PEM_NO_START_LINE",
    "error:0480006C:PEM routines::no start line",
    "is not reached: a file of sslcert, sslkey or sslrootcert is damaged or not in PEM form (no start line). Replace it.",
  ],
  [
    "ERR_SSL_TLSV1_ALERT_UNKNOWN_CA",
    `${openSsl}:tlsv1 alert unknown ca:${file}SSL alert number 48\n`,
    "does not take the certificate of the client (tlsv1 alert unknown ca). Name with sslcert=FILE one of an authority",
  ],
  [
    "ERR_SSL_NO_PROTOCOLS_AVAILABLE",
    `${openSsl}:no protocols available:${file}\n`,
    "is not reached: no version of TLS is from ssl_min_protocol_version to ssl_max_protocol_version.",
  ],
  [
    "EPROTO",
    `write EPROTO ${openSsl}:tlsv1 alert protocol version:${file}SSL alert number 70\n`,
    "has no version or cipher of TLS in common with this client (tlsv1 alert protocol version). Check ssl_min_protocol_version",
  ],
  [
    "EPROTO",
    `write EPROTO ${openSsl}:wrong version number:${file}\n`,
    "answers the request for TLS as no PostgreSQL server does.",
  ],
  [
    "",
    "There was an error establishing an SSL connection",
    "answers the request for TLS as no PostgreSQL server does.",
  ],
  [
    "ERR_SSL_SSL/TLS_ALERT_INTERNAL_ERROR",
    `${openSsl}:tlsv1 alert internal error:${file}SSL alert number 80\n`,
    "cannot be reached by TLS (tlsv1 alert internal error). Check the server's log, and the options",
  ],
  [
    "ECONNRESET",
    "Client network socket disconnected before secure TLS connection was established",
    "ended the connection where TLS begins. Check its log; sslnegotiation=direct needs PostgreSQL 17 or later.",
  ],
  ["ECONNRESET", "read ECONNRESET", "ended the connection. Check that a PostgreSQL server listens there, and its log."],
  [
    "ENOENT",
    "connect ENOENT /run/pg/.s.PGSQL.5432",
    "cannot be reached: its socket is not there (connect ENOENT /run/pg/.s.PGSQL.5432). Start the server, or check host and port.",
  ],
  ["EACCES", "connect EACCES /run/pg/.s.PGSQL.5432", "cannot be reached: this user may not open its socket ("],
  ["", "timeout exceeded when trying to connect", "cannot be reached: it gives no answer."],
  ["57P03", "the database system is starting up", "cannot be used: the database system is starting up."],
  ["42703", 'column "{schema}" does not exist', 'has a schema tenon that is not as tenon made it (column "{schema}" d'],
] as const)("%s %s", ([code, message, explanation]) => {
  expect(explained(code, message)).toContain(explanation);
});

test("an error at several addresses of a host is that at the first one", () => {
  const error = new AggregateError([Object.assign(new Error("connect ECONNREFUSED ::1:5"), { code: "ECONNREFUSED" })]);
  expect(explainPostgres(error, shown, "tenon")).toContain(`${shown} cannot be reached: nothing listens there.`);
});

test("a server without TLS, or somebody who says so, is no reason to use none", () => {
  const text = explained("", "The server does not support SSL connections");
  expect(text).toContain("offers no TLS, which this connection needs. Turn it on at the server (ssl = on).");
  expect(text).not.toContain("sslmode");
});
