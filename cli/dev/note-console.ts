import { format } from "node:util";

type Note = (level: string, message: string) => void;

const levels = { debug: "DEBUG", log: "INFO", info: "INFO", warn: "WARNING", error: "ERROR" } as const;

/** Notes each line that code writes by one of these methods of a console, and writes it as before. */
export function noteConsole(own: Pick<Console, keyof typeof levels>, note: Note): void {
  for (const [name, level] of Object.entries(levels) as [keyof typeof levels, string][]) {
    const write = own[name].bind(own);
    own[name] = (...values: unknown[]) => {
      write(...values);
      note(level, format(...values));
    };
  }
}
