import { against, type Attack, type Contender } from "./attack.ts";
import { callText, damage } from "./canary.ts";
import { naughtyStrings } from "./naughty-strings.ts";
import type { Target } from "./target.ts";
import { emptyTally, framed, sendAll } from "./wire.ts";

/** Each text wherever a caller can put one: value, key, path, query, header, name of a tool, id of a message. */
export const attackWithStrings: Attack = async ({ tenon, peers }) => {
  const changed: string[] = [];
  const ours = await against(tenon, {}, async (target) => {
    changed.push(...(await echoed(target)));
    return everywhere(tenon, target);
  });
  const theirs: string[] = [];
  for (const peer of peers) {
    const { tally, harm } = await against(peer, {}, (target) => everywhere(peer, target));
    theirs.push([`${peer.name}: ${tally.examples.length} × 5xx or none`, ...harm].join(", "));
  }
  const { tally, harm } = ours;
  return {
    attack: "Naughty strings as value, key, path, query, header, tool name, message id",
    inputs: `${naughtyStrings.length} texts, ${tally.sent + tally.unanswered + naughtyStrings.length * 2} requests`,
    result: [`${changed.length} came back changed`, `${tally.examples.length} × 5xx or none`, ...harm].join(", "),
    peers: theirs,
    breaches: [...changed, ...tally.examples, ...harm],
  };
};

/** Each text is what the tool got and gave, over both fronts. */
async function echoed({ port }: Target): Promise<readonly string[]> {
  const texts = new Map<Buffer, string>();
  for (const text of naughtyStrings) {
    const args = JSON.stringify({ text });
    texts.set(framed("/tool/echo", args), text).set(framed("/mcp", callText("echo", args)), text);
  }
  const changed: string[] = [];
  const tally = emptyTally();
  await sendAll(port, texts.keys(), tally, {
    connections: 4,
    depth: 1,
    onAnswer({ body }, request) {
      const said = Buffer.from(body, "latin1").toString();
      const spoken = request.includes("jsonrpc") ? spokenIn(said) : said;
      const text = texts.get(request);
      if (spoken !== text)
        changed.push(`${JSON.stringify(text)} came back as ${JSON.stringify(spoken?.slice(0, 100))}`);
    },
  });
  return [...changed, ...tally.examples];
}

/** The text block of the result in a message of MCP. */
function spokenIn(body: string): string | undefined {
  const message = JSON.parse(body) as {
    readonly result?: { readonly content?: readonly [{ readonly text?: string }] };
  };
  return message.result?.content?.[0].text;
}

async function everywhere(
  contender: Contender,
  target: Target,
): Promise<{ readonly tally: ReturnType<typeof emptyTally>; readonly harm: readonly string[] }> {
  const tally = emptyTally();
  const { rest, mcp } = contender;
  const requests = naughtyStrings.flatMap((text) => {
    const json = JSON.stringify(text);
    const safe = encodeURIComponent(text.toWellFormed());
    // Characters that may stand in a field value; others are an attack on framing, and come with the random heads.
    const value = Buffer.from(text.replaceAll(/\p{Cc}/gu, "")).toString("latin1");
    return [
      ...(rest === undefined
        ? []
        : [
            framed(rest, `{"number":7,"note":${json},"tags":[${json}]}`),
            framed(rest, `{"number":${json}}`),
            framed(rest, `{"number":7,${json}:${json}}`),
            framed(`${rest}/${safe}`, "{}"),
            framed(`${rest}?${safe}=${safe}`, '{"number":7}'),
            framed(rest, '{"number":7}', {
              "job-id": value,
              "Idempotency-Key": value,
              traceparent: value,
              Prefer: value,
            }),
          ]),
      ...(mcp === undefined
        ? []
        : [
            framed(mcp, callText("isPrime", `{"number":7,"note":${json}}`)),
            framed(mcp, callText("isPrime", '{"number":7}', json)),
            framed(mcp, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":${json},"arguments":{}}}`),
            framed(mcp, `{"jsonrpc":"2.0","id":1,"method":${json}}`),
            framed(mcp, callText("isPrime", '{"number":7}'), {
              "Mcp-Session-Id": value,
              "MCP-Protocol-Version": value,
            }),
          ]),
    ];
  });
  await sendAll(target.port, requests, tally, { connections: 4, depth: 1, milliseconds: 20_000, patience: 10 });
  return { tally, harm: await damage(contender, target) };
}
