// One request per line: parsed and answered, without a check.

let rest = "";
process.stdin.on("data", (chunk) => {
  const lines = (rest + chunk).split("\n");
  rest = lines.pop() ?? "";
  let out = "";
  for (const line of lines) {
    const { id, method, params } = JSON.parse(line);
    const number = params?.arguments?.number;
    const result =
      method === "initialize"
        ? { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "bare", version: "1" } }
        : {
            content: [{ type: "text", text: JSON.stringify({ number, isPrime: true }) }],
            structuredContent: { number, isPrime: true },
          };
    out += `${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`;
  }
  if (out !== "") process.stdout.write(out);
});
