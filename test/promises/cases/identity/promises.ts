import type { Promises, Step } from "../../promise.ts";

const alone = {
  stdio: "the only caller is the one who starts the process",
  batch: "the platform has checked who may call",
};
const ann = { subject: "ann", scopes: ["notes:read", "notes:write"], client: "promises" };
const jobId = /^urn:platform:job:/;
const refused = { failure: { message: /notes:write/ } };

/** The requests of a job that is stopped. @param token That of a local host */
const requestsWhenStopped = (token: RegExp | undefined): readonly Step[] => [
  { call: "callHomeWhenStopped", request: { token: "{token}" }, how: "cancels" },
  { heard: { path: "/home/{token}", headers: { authorization: token, "platform-job-id": jobId } } },
  { heard: { path: "/abroad/{token}", headers: { authorization: undefined, "platform-job-id": jobId } } },
];

export const promises: Promises = {
  "A tool knows who calls": {
    setting: "guarded",
    steps: [
      { call: "whoCalls", out: { value: ann } },
      { call: "whoCalls", caller: "bob", out: { value: { subject: "bob", scopes: ["notes:read"] } } },
    ],
    elsewhere: alone,
  },
  "A tool with `@scope` is called by those who have it": {
    setting: "guarded",
    steps: [{ call: "writeNote", out: { value: "written" } }],
  },
  "A tool with `@scope` is refused to others": {
    setting: "guarded",
    steps: [{ call: "writeNote", caller: "bob", out: refused }],
    elsewhere: alone,
  },
  "Where callers are not authenticated, nobody is the caller": {
    setting: "open",
    steps: [{ call: "whoCalls", out: { value: { subject: "nobody", scopes: [] } } }],
  },
  "A request from an abort listener has the platform's token of its job for a local host alone, and never a caller's": {
    steps: requestsWhenStopped(undefined),
    elsewhere: { batch: requestsWhenStopped(/^Bearer ./) },
  },
  "A job that is printed tells no token": {
    steps: [
      {
        call: "printJob",
        out: { value: /^\{"jobId":"urn:platform:job:[^"]+"(?:,"jobAuthorization":"\[redacted\]")?\}$/ },
      },
    ],
  },
};
