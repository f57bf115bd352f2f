import { readFileSync } from "node:fs";
import { against, type Attack, type Contender } from "./attack.ts";
import { callText, damage } from "./canary.ts";
import { emptyTally, framed, sendAll, type Answer } from "./wire.ts";

const file = new URL("../fixtures/json-test-suite/parsing.jsonl", import.meta.url);

interface Case {
  readonly name: string;
  readonly bytes: Buffer;
}

/** The cases of JSONTestSuite, with the two large ones that its files would hold. */
export function jsonCases(): readonly Case[] {
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  const cases = lines.map((line) => {
    const [name, text, base64] = JSON.parse(line) as [string, string | null, string?];
    return { name, bytes: text === null ? Buffer.from(base64 ?? "", "base64") : Buffer.from(text) };
  });
  const large = [
    { name: "n_structure_100000_opening_arrays", bytes: Buffer.from("[".repeat(100_000)) },
    { name: "n_structure_open_array_object", bytes: Buffer.from('[{"":'.repeat(50_000)) },
  ];
  return [...cases, ...large];
}

/** Each text as the body of a call, and as the arguments within a message of MCP. */
export const attackJson: Attack = async ({ tenon, peers }) => {
  const cases = jsonCases();
  const ours = await send(tenon, cases);
  const theirs = await Promise.all(peers.map(async (peer) => ({ peer, ...(await send(peer, cases)) })));
  return {
    attack: "JSONTestSuite, as body of REST and arguments of MCP",
    inputs: `${cases.length} texts, ${ours.sent} requests`,
    result: told(ours),
    peers: theirs.map(({ peer, ...found }) => `${peer.name}: ${told(found)}`),
    breaches: [...ours.taken.map((name) => `${name} was taken`), ...ours.refused, ...ours.failed, ...ours.harm],
  };
};

interface Outcome {
  readonly sent: number;
  /** Illegal texts that were taken for legal ones. */
  readonly taken: readonly string[];
  /** Legal texts that were called malformed. */
  readonly refused: readonly string[];
  /** 5xx and no answer. */
  readonly failed: readonly string[];
  readonly harm: readonly string[];
}

function told({ taken, refused, failed, harm }: Outcome): string {
  const parts = [
    `${taken.length} illegal taken`,
    `${refused.length} legal called malformed`,
    `${failed.length} × 5xx or none`,
  ];
  return [...parts, ...harm].join(", ");
}

async function send(contender: Contender, cases: readonly Case[]): Promise<Outcome> {
  const { rest, mcp } = contender;
  const names = new Map<Buffer, string>();
  const [before = "", after = ""] = callText("isPrime", "|").split("|");
  for (const { name, bytes } of cases) {
    if (rest !== undefined) names.set(framed(rest, bytes), name);
    if (mcp !== undefined)
      names.set(framed(mcp, Buffer.concat([Buffer.from(before), bytes, Buffer.from(after)])), name);
  }
  return against(contender, {}, async (target) => {
    const [taken, refused]: [string[], string[]] = [[], []];
    const tally = emptyTally();
    await sendAll(target.port, names.keys(), tally, {
      connections: 4,
      depth: 1,
      milliseconds: 20_000,
      patience: 20,
      onAnswer(answer, request) {
        const name = names.get(request) ?? "";
        if (name.startsWith("n_") && isTaken(answer)) taken.push(name);
        if (name.startsWith("y_") && isCalledMalformed(answer, request)) refused.push(name);
      },
    });
    const sent = tally.sent + tally.unanswered;
    return { sent, taken, refused, failed: tally.examples, harm: await damage(contender, target) };
  });
}

function isTaken({ status, body }: Answer): boolean {
  return status < 300 && !body.includes("error") && !body.includes("isError");
}

/** True when an answer blames the text itself, and not the value that it stands for. */
function isCalledMalformed({ status, body }: Answer, request: Buffer): boolean {
  if (request.includes("jsonrpc")) return body.includes("-32700");
  const isAboutValue = /urn:platform:problem:bad-request|FST_ERR_VALIDATION|"success":false|ZodError/.test(body);
  return status === 400 && !isAboutValue;
}
