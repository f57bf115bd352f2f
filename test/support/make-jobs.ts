import { connect } from "node:net";

const answerLine = "HTTP/1.1 200 OK";

/** Calls a tool so often with one request, each time under a job id of its own, over one connection. */
export async function makeJobs(url: string, tool: string, count: number, request = ""): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let answers = 0;
  const all = new Promise<void>((resolve, reject) => {
    let begun = "";
    socket.setEncoding("latin1").on("data", (chunk: string) => {
      const parts = (begun + chunk).split(answerLine);
      answers += parts.length - 1;
      begun = (parts.at(-1) ?? "").slice(1 - answerLine.length);
      if (answers >= count) resolve();
    });
    socket.on("error", reject).on("close", () => reject(new Error(`${answers} of ${count} calls were answered.`)));
  });
  const rest = `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(request)}\r\n\r\n${request}`;
  for (let index = 0; index < count; index++)
    socket.write(`POST /tool/${tool} HTTP/1.1\r\nHost: localhost\r\njob-id: ${tool}-${index}\r\n${rest}`);
  await all;
  socket.destroy();
}
