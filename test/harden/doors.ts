import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { audience, createTokenIssuer } from "../support/token-issuer.ts";
import { hostileTokens } from "../unit/runtime/fronts/auth/hostile-tokens.ts";
import { against, type Attack, type Contender } from "./attack.ts";
import { damage } from "./canary.ts";
import { ask, framed } from "./wire.ts";

const hosts = [
  "evil.example.com",
  "localhost.evil.example.com",
  "127.0.0.1.evil.example.com",
  "evil.example.com:80",
  "localhost@evil.example.com",
];
const origins = [
  "http://evil.example.com",
  "https://evil.example.com",
  "http://localhost.evil.example.com",
  "http://127.0.0.1.evil.example.com",
  "null",
  "file://",
  "chrome-extension://x",
  "http://evil.example.com:80@localhost",
  "http://[::1].evil.example.com",
  "HTTP://EVIL.EXAMPLE.COM",
  "x",
];
const wycheproof = new URL("../fixtures/wycheproof/json-web-signature.jsonl", import.meta.url);

/** Names and pages of others at every door: none may get through to a tool. */
export const attackWithOrigins: Attack = async ({ tenon, peers }) => {
  const lines: Record<string, string>[] = [
    ...hosts.map((Host) => ({ Host })),
    ...origins.map((Origin) => ({ Origin })),
    ...hosts.map((host) => ({ Host: host, Origin: `http://${host}` })),
  ];
  const through = (contender: Contender): Promise<readonly string[]> =>
    against(contender, {}, async (target) => {
      const found: string[] = [];
      for (const path of [contender.rest, contender.mcp].filter((one) => one !== undefined)) {
        for (const headers of lines) {
          const body = path === contender.mcp ? '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' : '{"number":7}';
          const answer = await ask(target.port, framed(path, body, headers), 2000);
          if (answer === undefined || answer.status < 300) found.push(`${path} ${JSON.stringify(headers)}`);
        }
      }
      return [...found, ...(await damage(contender, target))];
    });
  const ours = await through(tenon);
  const theirs: string[] = [];
  for (const peer of peers) theirs.push(`${peer.name}: ${(await through(peer)).length} of ${lines.length}`);
  return {
    attack: "Foreign Host and Origin, as of rebinding and of pages on other sites, on loopback",
    inputs: `${lines.length} heads, ${lines.length * 2} requests`,
    result: `${ours.length} let in`,
    peers: theirs.map((text) => `${text} let in`),
    breaches: ours,
  };
};

/** Tokens that are not good, to a service that authenticates its callers. */
export const attackWithTokens: Attack = async ({ tenon, chance, size }) => {
  const documents = createServer((request, response) => {
    issuer.fetchJson(`${address}${request.url}`).then(
      (document) => response.end(JSON.stringify(document)),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => documents.listen(0, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${(documents.address() as AddressInfo).port}`;
  const issuer = await createTokenIssuer(address);
  const good = await issuer.token();
  const made = (await hostileTokens(issuer)).map(([, token]) => (token.includes(" ") ? token : `Bearer ${token}`));
  const random = chance();
  const mutants = Array.from({ length: Math.min(2000, size.requests / 100) }, () => {
    // The last character of a part holds bits that nothing is made of.
    const at = random.below(good.length - 2);
    const other = good[at] === "A" ? "B" : "A";
    return `Bearer ${good.slice(0, at)}${other}${good.slice(at + 1)}`;
  });
  const bad = [...wycheproofTokens().map((token) => `Bearer ${token}`), ...made, ...mutants];
  const env = { TENON_AUTH_ISSUER: address, TENON_AUTH_AUDIENCE: audience };
  try {
    const [taken, odd, accepted] = await against(tenon, { env }, async ({ port }) => {
      const [taken, odd]: [string[], string[]] = [[], []];
      const call = (Authorization: string): Buffer => framed("/tool/isPrime", '{"number":997}', { Authorization });
      for (const header of bad) {
        // Bytes that no field value may have never reach a verifier.
        const answer = await ask(port, call(header.replace(/[\r\n]/g, "")));
        if (answer?.status === 200) taken.push(header);
        else if (answer === undefined || answer.status >= 500) odd.push(`${answer?.status ?? "no answer"}: ${header}`);
      }
      return [taken, odd, (await ask(port, call(`Bearer ${good}`)))?.status === 200] as const;
    });
    return {
      attack: "Tokens: Wycheproof's signatures, forged and foreign ones, and a good one with one character changed",
      inputs: `${wycheproofTokens().length} + ${made.length} + ${mutants.length} tokens`,
      result: `${taken.length} taken, ${odd.length} × 5xx or none; the good one ${accepted ? "is" : "IS NOT"} taken`,
      peers: [],
      breaches: [...taken, ...odd, ...(accepted ? [] : ["the good token was refused"])],
    };
  } finally {
    documents.close();
    documents.closeAllConnections();
  }
};

function wycheproofTokens(): readonly string[] {
  const groups = readFileSync(wycheproof, "utf8").trimEnd().split("\n");
  return groups.flatMap((line) =>
    (JSON.parse(line) as { readonly tests: readonly (readonly [number, string, string])[] }).tests.map(
      ([, , jws]) => jws,
    ),
  );
}
