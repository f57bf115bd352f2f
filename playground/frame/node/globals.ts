/** Stand-ins for globals of Node that the runtime uses; the bundler inserts them. */
import { createHash } from "../../compiler/node/crypto.ts";

/** Bytes with the text forms of `Buffer`. */
class Bytes extends Uint8Array {
  override toString(encoding?: string): string {
    if (encoding === "hex") return Array.from(this, (byte) => byte.toString(16).padStart(2, "0")).join("");
    if (encoding !== "base64") return new TextDecoder().decode(this);
    let text = "";
    for (const byte of this) text += String.fromCharCode(byte);
    return btoa(text);
  }
}

export const Buffer = {
  /** Copies a text, or shares the memory of bytes from an offset on. */
  from(given: string | ArrayBuffer, second?: unknown, length?: number): Bytes {
    if (typeof given !== "string") return new Bytes(given, second as number | undefined, length);
    if (second !== "base64") return new Bytes(new TextEncoder().encode(given).buffer);
    const text = atob(
      given
        .replaceAll("-", "+")
        .replaceAll("_", "/")
        .replace(/[^A-Za-z\d+/]/g, ""),
    );
    const bytes = new Bytes(text.length);
    for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
    return bytes;
  },
  byteLength: (text: string): number => new TextEncoder().encode(text).length,
  allocUnsafeSlow: (size: number): Bytes => new Bytes(size),
  concat(parts: readonly Uint8Array[]): Bytes {
    const whole = new Bytes(parts.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const part of parts) {
      whole.set(part, at);
      at += part.length;
    }
    return whole;
  },
};

/** The job that runs. One worker runs one job, so that this needs no contexts. */
class OnlyContext<T> {
  #value: T | undefined;

  run<R>(value: T, body: (...args: never[]) => R, ...args: never[]): R {
    this.#value = value;
    return body(...args);
  }

  getStore(): T | undefined {
    return this.#value;
  }
}

const builtins: Readonly<Record<string, object>> = {
  "node:async_hooks": { AsyncLocalStorage: OnlyContext, AsyncResource: OnlyContext },
  "node:crypto": { createHash, randomFillSync: (bytes: Uint8Array<ArrayBuffer>) => crypto.getRandomValues(bytes) },
  "node:fs": {
    openSync(): never {
      throw new Error("There are no files.");
    },
  },
};

export const process = {
  env: {},
  pid: 1,
  getBuiltinModule: (name: string): object => builtins[name] ?? {},
};

export function setImmediate(task: (...args: unknown[]) => void, ...args: unknown[]): void {
  setTimeout(task, 0, ...args);
}
