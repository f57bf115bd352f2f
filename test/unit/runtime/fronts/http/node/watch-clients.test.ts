import { EventEmitter } from "node:events";
import type { Server, ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { watchClients } from "../../../../../../runtime/fronts/http/node/watch-clients.ts";

test.each([false, true])("a large answer that was written before counts unless it is over, here %j", (closed) => {
  const server = Object.assign(new EventEmitter(), { maxConnections: 1000 });
  const socket = Object.assign(new EventEmitter(), { destroyed: false, bytesWritten: 0, writableLength: 0 });
  const req = { url: "/large", socket };
  const response = (): ServerResponse => Object.assign(new EventEmitter(), { req, closed }) as never;
  const { defer } = watchClients(server as unknown as Server, new Set(), {
    limits: { write: 1000, waiting: 100_000 } as never,
    early: [[response(), 90_000]],
    warn: () => {},
  });
  let started = 0;
  // The second answer of the path would be too much beside the first one.
  const waits = defer?.(req as never, response(), () => (started += 1));
  server.emit("close");
  expect([waits, started]).toEqual([!closed, 0]);
});
