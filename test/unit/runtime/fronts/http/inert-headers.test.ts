import { expect, test } from "vitest";
import { inertHeaders } from "../../../../../runtime/fronts/http/inert-headers.ts";

const sandboxed = ["X-Content-Type-Options", "nosniff", "Content-Security-Policy", "sandbox; default-src 'none'"];

test.each(["text/plain", "image/png", "TEXT/CSV; charset=utf-8", "application/json", "video/mp4 ;codecs=avc1"])(
  "%s is shown as it is",
  (type) => {
    expect(inertHeaders(type)).toEqual(["X-Content-Type-Options", "nosniff"]);
  },
);

test.each(["", "garbage", "text", "*/*", "text/css", "application/x-unknown", "text/plain;,text/css", "image/png,"])(
  "%j has no origin",
  (type) => {
    expect(inertHeaders(type)).toEqual(sandboxed);
  },
);

test.each([
  "text/html",
  " TEXT/HTML",
  "image/svg+xml",
  "application/xhtml+xml",
  "text/javascript",
  "text/plain;,text/html",
  "image/png;,text/html",
  "application/json;, text/html",
  "text/plain\t,text/html",
  'text/plain;charset="utf-8, text/html"',
])("%j is saved, and has no origin", (type) => {
  expect(inertHeaders(type)).toEqual([...sandboxed, "Content-Disposition", "attachment"]);
});
