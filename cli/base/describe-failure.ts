/** Codes of failed connections, with the text about the address. */
const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there",
  ENOTFOUND: "there is no such host",
  EAI_AGAIN: "the name of the host cannot be looked up",
  ECONNRESET: "the connection was cut",
  UND_ERR_SOCKET: "the connection was cut",
  UND_ERR_CONNECT_TIMEOUT: "nobody answered in time",
  ETIMEDOUT: "nobody answered in time",
  EHOSTUNREACH: "the host cannot be reached",
  ENETUNREACH: "the host cannot be reached",
  ERR_SSL_WRONG_VERSION_NUMBER: "it does not speak https; write http:// instead",
  ERR_SSL_PACKET_LENGTH_TOO_LONG: "it does not speak https; write http:// instead",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "its certificate cannot be verified; see NODE_EXTRA_CA_CERTS of Node",
  DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate is self-signed; see NODE_EXTRA_CA_CERTS of Node",
  SELF_SIGNED_CERT_IN_CHAIN: "its certificate is self-signed; see NODE_EXTRA_CA_CERTS of Node",
  CERT_HAS_EXPIRED: "its certificate has expired",
  HPE_INVALID_CONSTANT: "it does not speak HTTP",
};

/** Explains in one line why a request of `fetch` failed; undefined for an error of another kind. */
export function describeFailure(base: string, error: unknown): string | undefined {
  if (error instanceof DOMException && error.name === "TimeoutError") return `${base} did not answer in time.`;
  // The error is recognised by its message, since `fetch` has no error class of its own.
  if (!(error instanceof TypeError) || (error.message !== "fetch failed" && error.message !== "terminated"))
    return undefined;
  const { code = "", message = error.message } = (error.cause ?? {}) as {
    readonly code?: string;
    readonly message?: string;
  };
  const reason = Object.hasOwn(reasons, code)
    ? reasons[code]
    : [message, code].filter((part) => part !== "").join(", ");
  return `${base} cannot be called: ${reason}.`;
}
