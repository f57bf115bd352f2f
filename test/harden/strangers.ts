import { connect } from "node:net";
import { against, type Attack } from "./attack.ts";
import { damage } from "./canary.ts";
import { oddRequests } from "./odd-requests.ts";
import { ask, framed } from "./wire.ts";

/** Milliseconds in which a connection must have been closed. */
const patience = 10_000;
/** Sessions that a service holds: 64 MiB at 32 KiB each. */
const mostSessions = 2048;
/** Megabytes by which it may grow in all: the budget of sessions, and garbage that nobody has collected yet. */
const mostGrowth = 300;
/** Letters of the names that clients give themselves, in turn. */
const names = [1, 20_000, 1, 1, 1, 1, 1, 1, 1, 900_000] as const;

/** Requests at the edges of HTTP, JSON and text. Each has its answer, and no other. */
export const attackWithOddRequests: Attack = async ({ tenon }) => {
  const requests = oddRequests(tenon.rest ?? "/tool", tenon.mcp ?? "/mcp");
  const breaches = await against(tenon, {}, async (target) => {
    const found: string[] = [];
    for (const { name, bytes, statuses } of requests) {
      const got = await statusesOf(target.port, bytes);
      if (got?.join() !== statuses.join())
        found.push(`${name}: ${got?.join(", ") ?? "the connection stays open"} instead of ${statuses.join(", ")}`);
    }
    return [...found, ...(await damage(tenon, target))];
  });
  return {
    attack: "Framing, targets, encodings and keys that parsers disagree about, on raw sockets",
    inputs: `${requests.length} kinds`,
    result: `${breaches.length} answered otherwise than they must be`,
    peers: [],
    breaches,
  };
};

/** Statuses of all answers on one connection; undefined when it stays open. */
function statusesOf(port: number, bytes: Buffer): Promise<readonly number[] | undefined> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    let text = "";
    const late = setTimeout(() => {
      socket.destroy();
      resolve(undefined);
    }, patience);
    socket.on("data", (chunk) => (text += chunk.toString("latin1")));
    // The server may close before it has read all.
    socket.on("error", () => {});
    socket.on("close", () => {
      clearTimeout(late);
      resolve([...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status)));
    });
    socket.write(bytes);
  });
}

/** Clients that begin sessions and never come back. Sessions are bounded, and others go on. */
export const attackWithSessions: Attack = async ({ tenon, size }) => {
  const count = Math.min(10 * mostSessions, Math.ceil(size.requests / 10));
  const bodies = names.map((letters) => {
    const clientInfo = { name: "x".repeat(letters), version: "1" };
    const params = { protocolVersion: "2025-11-25", capabilities: { elicitation: {} }, clientInfo };
    return JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params });
  });
  let begun = 0;
  let most = 0;
  const breaches = await against(tenon, {}, async (target) => {
    const before = (await target.memory()) ?? 0;
    const found: string[] = [];
    for (let sent = 0; sent < count; sent++) {
      const headers = { Accept: "application/json, text/event-stream" };
      const body = bodies[sent % bodies.length] ?? "";
      const answer = await ask(target.port, framed(tenon.mcp ?? "/mcp", body, headers));
      if (answer === undefined || (answer.status >= 500 && answer.status !== 503))
        found.push(`initialize ${sent}: ${answer?.status ?? "no answer"}`);
      if (answer?.status === 200) begun++;
      if (sent % 500 === 0 || sent === count - 1)
        most = Math.max(most, ((await target.memory()) ?? Number.POSITIVE_INFINITY) - before);
    }
    if (most > mostGrowth) found.push(`grows by ${most.toFixed(0)} MB`);
    return [...found, ...(await damage(tenon, target))];
  });
  return {
    attack: "MCP sessions that are begun and left",
    inputs: `${count} × initialize, with names of 1, 20,000 and 900,000 letters`,
    result: `${begun} begun, the oldest ended for them; +${most.toFixed(0)} MB at most`,
    peers: [],
    breaches,
  };
};

/** Descriptors of a process that a crowd meets in the first milliseconds after its start. */
const openFiles = 300;

/** More connections than a process may open files, before it has loaded all of its code. */
export const attackWithCrowd: Attack = async ({ tenon }) => {
  const breaches = await against(tenon, { openFiles }, async (target) => {
    const sockets = Array.from({ length: openFiles + 100 }, () => connect(target.port, "127.0.0.1"));
    const over = sockets.map((socket) => {
      socket.on("error", () => {});
      return new Promise((resolve) => socket.once("connect", resolve).once("close", resolve));
    });
    await Promise.all(over);
    // Others are answered meanwhile, as far as one of the crowd leaves.
    for (const socket of sockets.slice(0, sockets.length / 2)) socket.destroy();
    const during = await damage(tenon, target);
    for (const socket of sockets) socket.destroy();
    return [...during, ...(await damage(tenon, target))];
  });
  return {
    attack: "A crowd in the first milliseconds of a process",
    inputs: `${openFiles + 100} connections, ${openFiles} descriptors`,
    result: breaches.length === 0 ? "refused beyond the limit, others answered" : "others NOT answered",
    peers: [],
    breaches,
  };
};
