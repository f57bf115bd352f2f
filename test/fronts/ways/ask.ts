import { request } from "node:http";
import type { TokenIssuer } from "../../support/token-issuer.ts";
import type { Request, Row } from "./requests.ts";
import type { Host } from "./hosts.ts";

/** An answer without what belongs to one run or to one connection. */
export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Headers of a connection, and those that a host adds to every answer. */
const ofConnection: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "date",
  "keep-alive",
  "transfer-encoding",
]);

/** Sends the requests of a row one after another. */
export async function ask(host: Host, { steps }: Row, tokens: TokenIssuer): Promise<readonly Answered[]> {
  const answers: Answered[] = [];
  /** Headers of the answers so far. */
  const came = new Map<string, string>();
  for (const step of steps) {
    if ("line" in step) {
      const failure = await host.line(step.line).catch((error: unknown) => String(error));
      if (typeof failure === "string") answers.push({ status: 0, headers: {}, body: failure });
      continue;
    }
    const token = step.scope === undefined ? undefined : await tokens.token({ scope: step.scope });
    const carried = step.carry === undefined ? {} : { [step.carry]: came.get(step.carry) ?? "none" };
    const answer = await send(host, step, { ...carried, ...(token && { authorization: `Bearer ${token}` }) });
    if (answer === undefined) continue;
    for (const [name, value] of Object.entries(answer.headers)) came.set(name, value);
    answers.push(comparable(answer, host));
  }
  return answers;
}

/** Undefined: the caller has left. */
function send(
  { port, prefix, line }: Host,
  { method, path, headers = {}, body, chunked, leave, leaveAfter }: Request,
  more: Readonly<Record<string, string>>,
): Promise<Answered | undefined> {
  return new Promise((resolve, reject) => {
    const outgoing = request({
      port,
      host: "127.0.0.1",
      path: prefix + path,
      method,
      agent: false,
      headers: { host: `localhost:${port}`, ...headers, ...more } as Record<string, string>,
    });
    const go = (): void => {
      outgoing.off("error", reject).on("error", () => {});
      outgoing.destroy();
      resolve(undefined);
    };
    outgoing.on("error", reject).on("response", (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
        if (leaveAfter !== undefined && text.includes(leaveAfter)) go();
      });
      response.on("error", () => resolve({ status: response.statusCode ?? 0, headers: {}, body: `cut: ${text}` }));
      response.on("end", () => {
        const names = Object.entries(response.headers).filter(([name]) => !ofConnection.has(name));
        const plain = Object.fromEntries(names.map(([name, value]) => [name, String(value)]));
        resolve({ status: response.statusCode ?? 0, headers: plain, body: text });
      });
    });
    if (leave !== undefined) line(leave).then(go, reject);
    if (chunked === true && body !== undefined) {
      outgoing.write(body.slice(0, 5));
      outgoing.end(body.slice(5));
    } else outgoing.end(body);
  });
}

function comparable({ status, headers, body }: Answered, host: Host): Answered {
  const names = Object.entries(headers).toSorted(([one], [other]) => one.localeCompare(other));
  return {
    status,
    headers: Object.fromEntries(names.map(([name, value]) => [name, same(value, host)])),
    body: same(body, host),
  };
}

function same(text: string, { port, prefix }: Host): string {
  const timeless = text
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "<id>")
    .replaceAll(/\b[0-9a-f]{32}\b/g, "<session>")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>")
    .replaceAll(/"oldest-waiting-seconds":[\d.]+/g, '"oldest-waiting-seconds":0')
    // Of the card, whose address has the port.
    .replaceAll(/"[\w-]{22}"/g, '"<tag>"')
    // Engines differ in what they say of a mistake in JSON.
    .replaceAll(/, at position \d+(?: \(.*?\))?/g, "")
    .replaceAll(`:${port}`, ":<port>");
  const same = timeless.replace(/"servers":\[\{[^\]]*\}\],/, "");
  return prefix === "" ? same : same.replaceAll(`${prefix}/`, "/");
}
