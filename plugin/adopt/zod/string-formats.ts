import type { ts } from "ts-morph";
import { type AdoptContext, leaveOpen } from "../base/context.ts";
import { follow, memberOf, unbound } from "../base/follow.ts";
import { staticValue } from "../base/static-value.ts";
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
  "iso.duration": "duration",
  duration: "duration",
  ...Object.fromEntries(
    "iso.time time base64url cidr cidrv4 cidrv6 cuid cuid2 e164 emoji hex ip jwt ksuid mac nanoid ulid xid"
      .split(" ")
      .map((name) => [name, ""]),
  ),
};

/** Times of zod, which have no offset: tenon's format `time` needs one. */
const clockTime = String.raw`^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d+)?)?$`;

/** Adds the format that a function or a method of zod checks. */
export function checkedFormat(context: AdoptContext, name: string, call: ts.CallExpression, shape: Shape): Shape {
  const format = stringFormats[name] ?? "";
  const add = (tag: string): Shape => ({ ...shape, tags: [...shape.tags, tag] });
  if (name === "time" || name === "iso.time") return add(`@pattern ${clockTime}`);
  const [options] = call.arguments;
  if (format === "date-time" && options !== undefined && isOfOtherForm(context, options)) {
    const advice = "add `@pattern`, or let callers send an offset and seconds, with `@format date-time`";
    leaveOpen(context, call, "tenon's `date-time` has an offset and seconds", advice);
    return shape;
  }
  if (format === "duration")
    leaveOpen(context, call, "tenon's `duration` takes no fractions", "callers send whole numbers");
  if (format !== "") return add(`@format ${format}`);
  leaveOpen(context, call, `tenon has no format \`${name}\``, "add `@pattern`, or check it in the body");
  return shape;
}

/** True if `datetime` takes texts without an offset or without seconds. */
function isOfOtherForm(context: AdoptContext, options: ts.Expression): boolean {
  const given = follow(context, { node: options, bound: unbound });
  const [local, precision] = ["local", "precision"].map((key) => memberOf(context, given, key));
  const isLocal = local !== undefined && staticValue(context, local)?.value !== false;
  return isLocal || (precision !== undefined && staticValue(context, precision)?.value === -1);
}
