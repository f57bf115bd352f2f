/** One build by Vite in a process of its own, with `tenon` left outside: `node vite-once.mjs FOLDER [tenon|plain]`. */
import { build } from "vite";

const [root, plugin] = process.argv.slice(2);
await build({
  root,
  configFile: false,
  logLevel: "error",
  plugins: plugin === "tenon" ? [(await import("../dist/plugin/bundlers/vite.js")).default()] : [],
  ssr: { noExternal: true, external: ["tenon", "openai"] },
  build: { ssr: "src/service.ts", target: "node22", outDir: `out/vite-${plugin}` },
});
