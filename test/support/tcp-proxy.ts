import { createServer, connect, type AddressInfo, type Socket } from "node:net";

/** A proxy in front of a TCP server that breaks connections as networks do. */
export interface TcpProxy {
  readonly port: number;
  /** Resets all connections. */
  cut(): void;
  /** Keeps all connections open and passes nothing on, as after a lost peer; new ones are accepted, and silent. */
  freeze(): void;
  /** New connections work again; silent ones stay so. */
  thaw(): void;
  /** New connections lead to another port. */
  lead(target: number): void;
  close(): Promise<void>;
}

/** @param answer What the proxy itself answers to the first bytes of a connection; undefined: they are passed on */
export async function startTcpProxy(
  first: number,
  answer?: (opening: Buffer) => string | undefined,
): Promise<TcpProxy> {
  let target = first;
  const sockets = new Set<Socket>();
  let frozen = false;
  const server = createServer((near) => {
    track(near);
    if (frozen) return;
    const far = connect(target, "127.0.0.1");
    track(far);
    far.pipe(near);
    if (answer === undefined) near.pipe(far);
    else
      near.once("data", (opening: Buffer) => {
        const own = answer(opening);
        if (own === undefined) far.write(opening);
        else near.write(own);
        near.pipe(far);
      });
    near.on("close", () => far.destroy());
    far.on("close", () => near.destroy());
  });
  function track(socket: Socket): void {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
  }
  function destroyAll(): void {
    for (const socket of sockets) socket.destroy();
  }
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    cut: destroyAll,
    freeze() {
      frozen = true;
      for (const socket of sockets) socket.unpipe().pause();
    },
    thaw: () => void (frozen = false),
    lead: (port) => void (target = port),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        destroyAll();
      }),
  };
}
