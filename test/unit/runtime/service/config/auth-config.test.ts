import { describe, expect, test } from "vitest";
import type { AuthOptions } from "../../../../../runtime/service/config/auth-config.ts";
import { readConfig } from "../../../../../runtime/service/config/config.ts";

const issuer = "https://login.example.org/realms/tools";
const audience = "https://tools.example.org/mcp";

test("nothing said: no authorisation", () => {
  expect(readConfig({ TENON_AUTH_ISSUER: "" }, []).auth).toBe(undefined);
});

test("the environment, and the start call before it", () => {
  const env = { TENON_AUTH_ISSUER: issuer, TENON_AUTH_AUDIENCE: audience, TENON_AUTH_SCOPES: "a  b,a" };
  expect(readConfig(env, []).auth).toEqual({ issuer, audience, resource: audience, scopes: ["a", "b"] });
  const auth = { audience: "https://other.example.org/", scopes: [] };
  expect(readConfig(env, [], { auth }).auth).toEqual({
    issuer,
    audience: "https://other.example.org/",
    resource: "https://other.example.org",
    scopes: [],
  });
  expect(
    readConfig({ ...env, TENON_AUTH_AUDIENCE: "api://1", TENON_AUTH_RESOURCE: "https://TOOLS.example.org" }, []).auth,
  ).toMatchObject({ audience: "api://1", resource: "https://tools.example.org" });
  expect(readConfig({ ...env, TENON_AUTH_ISSUER: "http://127.0.0.1:8080" }, []).auth?.issuer).toBe(
    "http://127.0.0.1:8080",
  );
});

test("options of the start call whose variables are not set do not leave the service open", () => {
  const auth = { issuer: process.env["NOT_SET"], audience: process.env["NOT_SET"] } as AuthOptions;
  for (const given of [auth, {}])
    expect(() => readConfig({}, [], { auth: given })).toThrow("Authorisation needs an issuer");
});

describe("what is wrong is one line", () => {
  const good = { TENON_AUTH_ISSUER: issuer, TENON_AUTH_AUDIENCE: audience };
  test.each([
    [{ TENON_AUTH_AUDIENCE: audience }, "Authorisation needs an issuer: set TENON_AUTH_ISSUER"],
    [{ TENON_AUTH_SCOPES: "a" }, "Authorisation needs an issuer: set TENON_AUTH_ISSUER"],
    [{ TENON_AUTH_CLIENT_ID: "console" }, "Authorisation needs an issuer: set TENON_AUTH_ISSUER"],
    [{ TENON_AUTH_ISSUER: issuer }, "Authorisation needs an audience: set TENON_AUTH_AUDIENCE"],
    [{ ...good, TENON_AUTH_ISSUER: "login.example.org" }, 'it must be the https address that tokens have in "iss"'],
    [{ ...good, TENON_AUTH_ISSUER: "http://login.example.org" }, "TENON_AUTH_ISSUER is"],
    [{ ...good, TENON_AUTH_ISSUER: "https://a.example?x=1" }, "TENON_AUTH_ISSUER is"],
    [{ ...good, TENON_AUTH_ISSUER: "https://u:p@a.example" }, "TENON_AUTH_ISSUER is"],
    [{ ...good, TENON_AUTH_AUDIENCE: "my-api" }, "set TENON_AUTH_RESOURCE to the public address of this service"],
    [{ ...good, TENON_AUTH_RESOURCE: "tools" }, "it must be the public address of this service"],
    [{ ...good, TENON_AUTH_SCOPES: 'a "b"' }, "is not a valid scope"],
    [{ TENON_RATE_LIMIT: "fast" }, 'TENON_RATE_LIMIT is "fast"'],
    [{ TENON_RATE_LIMIT: "0/s" }, "such as 20/s or 600/m"],
  ])("%j", (env, message) => {
    expect(() => readConfig(env, [])).toThrow(
      expect.objectContaining({ name: "StartError", message: expect.stringContaining(message) as string }),
    );
  });
});

test("a rate", () => {
  expect(readConfig({ TENON_RATE_LIMIT: "600/m" }, []).rateLimit).toEqual({ count: 600, seconds: 60 });
  expect(readConfig({ TENON_RATE_LIMIT: "20 / s" }, []).rateLimit).toEqual({ count: 20, seconds: 1 });
  expect(readConfig({}, []).rateLimit).toBe(undefined);
});
