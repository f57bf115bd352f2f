import type { Promises } from "../../promise.ts";

const png = { type: "image/png", base64: "iVBORw==" };

export const promises: Promises = {
  "A text arrives as it is": {
    steps: [{ call: "sayText", request: { text: "é ☃ 😀\n" }, out: { value: "You said é ☃ 😀\n." } }],
  },
  "Bytes arrive as they are": {
    steps: [{ call: "giveBytes", out: { bytes: { base64: "AAH+/w==" } } }],
  },
  "A `BinaryResult` has its own type": {
    steps: [{ call: "drawPicture", out: { bytes: png } }],
  },
  "A stream of a `BinaryResult` arrives whole": {
    steps: [{ call: "streamPicture", out: { bytes: { type: "image/webp", base64: "AQID" } } }],
  },
  "A tool may give nothing": { steps: [{ call: "giveNothing", out: { value: null } }] },
  "A list may be a result, also an empty one": {
    steps: [
      { call: "giveList", request: { n: 3 }, out: { value: [0, 1, 2] } },
      { call: "giveList", request: { n: 0 }, out: { value: [] } },
    ],
  },
  "`Content` and texts are pieces, in order": {
    steps: [
      {
        call: "givePieces",
        out: {
          value: {
            content: [
              { type: "text", text: "first" },
              { type: "text", text: "second" },
            ],
          },
        },
      },
    ],
  },
};
