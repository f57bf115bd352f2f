// Takes what can print to descriptor 1 only when it runs, in the way that the first argument names. Imports nothing.
interface Processes {
  spawnSync(file: string, args: readonly string[], options: object): unknown;
}

const way = process.argv[2] ?? "";
const load = process.getBuiltinModule("node:module").createRequire(import.meta.url);

async function take(): Promise<unknown> {
  switch (way) {
    case "processes by import":
      return import("node:child_process");
    case "processes by require":
      return load("child_process");
    case "processes by getBuiltinModule":
      return process.getBuiltinModule("child_process");
    case "processes by another module": {
      await import("node:cluster");
      return import("node:child_process");
    }
    default:
      throw new Error(`There is no way ${way}.`);
  }
}

if (way === "nothing") {
  const { moduleLoadList } = process as unknown as { readonly moduleLoadList: readonly string[] };
  const costly = new Set(["child_process", "internal/fs/promises", "http"].map((name) => `NativeModule ${name}`));
  process.stderr.write(JSON.stringify(moduleLoadList.filter((name) => costly.has(name))));
} else {
  ((await take()) as Processes).spawnSync("echo", [`[${way}]`], { stdio: "inherit" });
}
