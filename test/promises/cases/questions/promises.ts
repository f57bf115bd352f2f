import type { Promises } from "../../promise.ts";
import type { Serve } from "../../ways.ts";

const request = { mark: "{token}" };
const deaf: readonly Serve[] = ["REST", "createFetchHandler", "thread", "batch"];
const nobody = Object.fromEntries(deaf.map((serve) => [serve, "its callers cannot be asked"]));
const mcp: readonly Serve[] = ["stdio", "registerMcp", "MCP 2025-11-25, session", "MCP 2026-07-28"];
const asked = Object.fromEntries(mcp.map((serve) => [serve, "its callers can be asked"]));

export const promises: Promises = {
  "A tool asks its user, and goes on with the answer": {
    steps: [
      {
        call: "deleteFiles",
        request,
        answers: { "Delete the files of {token}?": { answer: true } },
        out: { value: "deleted" },
      },
    ],
    elsewhere: nobody,
  },
  "A form has the fields of its type": {
    steps: [
      {
        call: "askAddress",
        request,
        answers: { "Where does {token} live?": { city: "Bonn", rooms: 2 } },
        out: { value: "2 in Bonn" },
      },
    ],
    elsewhere: nobody,
  },
  "A user may decline": {
    steps: [
      { call: "askAddress", request, answers: { "Where does {token} live?": "decline" }, out: { value: "declined" } },
    ],
    elsewhere: nobody,
  },
  "A tool can know that nobody can be asked": {
    steps: [{ call: "deleteFiles", request, out: { value: "cannot ask" } }],
    elsewhere: asked,
  },
  "A question to a caller that cannot be asked fails with a text that says so": {
    steps: [{ call: "askAnyhow", request, out: { failure: { message: /ask|elicitation|question/i } } }],
    elsewhere: asked,
  },
};
