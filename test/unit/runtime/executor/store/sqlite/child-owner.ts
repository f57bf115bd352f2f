/** Opens the store file of its argument, says so or why not, and stays until its input ends. */
import { openSqliteStore } from "../../../../../../runtime/executor/store/sqlite/sqlite.ts";

const [file = "", hold = "hold"] = process.argv.slice(2);
try {
  const store = openSqliteStore(file);
  process.stdout.write("open\n");
  if (hold === "hold") process.stdin.resume().on("end", () => void store.close());
  else await store.close();
} catch (error) {
  process.stdout.write(`${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}\n`);
}
