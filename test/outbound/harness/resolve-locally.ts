/**
 * Every name is this machine; undici and `node:http` look the function up when they connect. Returns how to end that:
 * in a process that goes on, a server would listen on this machine instead of an address that is none of it.
 */
export function resolveLocally(): () => void {
  const dns = process.getBuiltinModule("node:dns");
  type Done = (error: null, address: unknown, family?: number) => void;
  const lookup = (_host: string, options: { all?: boolean } | Done, done?: Done): void => {
    const [callback, all] = typeof options === "function" ? [options, false] : [done, options.all === true];
    if (all) process.nextTick(() => callback?.(null, [{ address: "127.0.0.1", family: 4 }]));
    else process.nextTick(() => callback?.(null, "127.0.0.1", 4));
  };
  const { lookup: own } = dns;
  dns.lookup = lookup as unknown as typeof dns.lookup;
  return () => {
    dns.lookup = own;
  };
}
