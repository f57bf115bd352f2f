// Takes what can print to descriptor 1 only when it runs, in the way that the first argument names. Imports nothing.
interface Processes {
  spawnSync(file: string, args: readonly string[], options: object): unknown;
}

interface Files {
  appendFile(file: string, text: string): Promise<void>;
}

const way = process.argv[2] ?? "";
const [kind = ""] = way.split(" ");
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
    case "files by import":
      return import("node:fs/promises");
    case "files by require":
      return load("node:fs/promises");
    case "files by getBuiltinModule":
      return process.getBuiltinModule("node:fs/promises");
    case "files by fs":
      return process.getBuiltinModule("node:fs").promises;
    case "files by imported fs":
      return (await import("node:fs")).promises;
    default:
      throw new Error(`There is no way ${way}.`);
  }
}

const taken = kind === "nothing" ? undefined : await take();
if (kind === "nothing") {
  const { moduleLoadList } = process as unknown as { readonly moduleLoadList: readonly string[] };
  const costly = new Set(["child_process", "internal/fs/promises", "http"].map((name) => `NativeModule ${name}`));
  process.stderr.write(JSON.stringify(moduleLoadList.filter((name) => costly.has(name))));
} else if (kind === "processes") {
  (taken as Processes).spawnSync("echo", [`[${way}]`], { stdio: "inherit" });
} else {
  await (taken as Files).appendFile("/dev/stdout", `[${way}]\n`).catch((error: NodeJS.ErrnoException) => {
    // A host may give a socket, which has no path.
    if (error.code !== "ENXIO" || !error.message.includes("/dev/stderr")) throw error;
    console.log(`[${way}]`);
  });
}
