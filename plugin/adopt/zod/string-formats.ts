import type { ts } from "ts-morph";
import { type AdoptContext, leaveOpen } from "../base/context.ts";
import type { Shape } from "../base/shape.ts";

/**
 * Formats of texts by the names of zod's functions and methods, each with its name in tenon; empty if tenon has no such
 * format.
 */
export const stringFormats: { readonly [name: string]: string } = {
  email: "email",
  url: "uri",
  httpUrl: "uri",
  uuid: "uuid",
  uuidv4: "uuid",
  uuidv6: "uuid",
  uuidv7: "uuid",
  guid: "uuid",
  hostname: "hostname",
  ipv4: "ipv4",
  ipv6: "ipv6",
  base64: "byte",
  datetime: "date-time",
  "iso.date": "date",
  "iso.datetime": "date-time",
  "iso.time": "time",
  "iso.duration": "duration",
  duration: "duration",
  time: "time",
  ...Object.fromEntries(
    "base64url cidr cidrv4 cidrv6 cuid cuid2 e164 emoji hex ip jwt ksuid mac nanoid ulid xid"
      .split(" ")
      .map((name) => [name, ""]),
  ),
};

/** Adds the format that a function or a method of zod checks. */
export function checkedFormat(context: AdoptContext, name: string, call: ts.CallExpression, shape: Shape): Shape {
  const format = stringFormats[name] ?? "";
  if (format !== "") return { ...shape, tags: [...shape.tags, `@format ${format}`] };
  leaveOpen(context, call, `tenon has no format \`${name}\``, "add `@pattern`, or check it in the body");
  return shape;
}
