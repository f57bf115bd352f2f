// The usual server without a framework, for `bench/start.ts`.
import http from "node:http";

const server = http.createServer((request, response) => {
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    const { number } = JSON.parse(Buffer.concat(chunks).toString());
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ number, isPrime: true }));
  });
});
server.listen(0, "127.0.0.1", () => console.error(`http://127.0.0.1:${server.address().port}`));
