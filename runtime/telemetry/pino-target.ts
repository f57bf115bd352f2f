import { pino } from "pino";

const secrets = ["authorization", "jobAuthorization", "token", "password", "secret", "apiKey", "api_key", "cookie"];

/** Writes records as JSON lines through pino, without the values of fields that hold secrets. */
export function makePinoTarget(
  write: (line: string) => void,
): (record: {
  readonly method: "debug" | "info" | "warn" | "error" | "fatal";
  readonly fields: Readonly<Record<string, unknown>>;
  readonly message: string;
}) => void {
  const logger = pino(
    {
      level: "debug",
      base: null,
      timestamp: false,
      formatters: { level: (level) => ({ level }) },
      redact: { paths: [...secrets, ...secrets.map((name) => `*.${name}`)], censor: "[redacted]" },
    },
    { write },
  );
  return ({ method, fields, message }) => logger[method](fields, message);
}
