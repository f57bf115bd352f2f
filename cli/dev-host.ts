/** Runs in a process of its own under `tenon dev`: loads each new build into the server that is already listening. */
import { pathToFileURL } from "node:url";

// A second start call in this process swaps the tools of the running server instead of binding the port again.
Reflect.set(globalThis, Symbol.for("tenon.dev"), { running: undefined });

let generation = 0;
let loading: Promise<unknown> = Promise.resolve();
process.on("message", (message: { readonly load: string }) => {
  generation += 1;
  const url = `${pathToFileURL(message.load).href}?generation=${generation}`;
  process.argv[1] = message.load;
  // Worker threads run the newest build; its entry sets this again.
  Reflect.deleteProperty(globalThis, Symbol.for("tenon.entry"));
  // One after the other: a fast second save must not overtake the first.
  loading = loading
    .then(() => import(url))
    .catch((error: unknown) => {
      console.error(error);
    });
});
process.once("disconnect", () => process.exit(0));
