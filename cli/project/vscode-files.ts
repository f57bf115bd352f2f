/** Pattern for the first line of a finding, as commands print it. */
const pattern = {
  regexp: "^(?:tenon: )?(\\S.*?):(\\d+):(\\d+) {2}(TN\\d+) {2}(?:(warning|hint): )?(.*)$",
  file: 1,
  line: 2,
  column: 3,
  code: 4,
  severity: 5,
  message: 6,
};

/** Problem matcher like `$tenon` of the extension, for editors without it. */
const problemMatcher = {
  owner: "tenon",
  source: "tenon",
  fileLocation: ["relative", "${workspaceFolder}"],
  severity: "error",
  pattern,
};

/** Lines with which a check of `tenon check --watch` begins and ends. */
const watchPatterns = {
  activeOnStart: true,
  beginsPattern: "^\\d\\d:\\d\\d:\\d\\d checking ",
  endsPattern: "^\\d\\d:\\d\\d:\\d\\d checked ",
};

const tasks = {
  version: "2.0.0",
  tasks: [
    {
      label: "tenon: check",
      detail: "Shows the findings of all files after each save",
      type: "shell",
      command: "npx",
      args: ["tenon", "check", "--watch"],
      isBackground: true,
      problemMatcher: { ...problemMatcher, background: watchPatterns },
    },
    {
      label: "tenon: build",
      type: "shell",
      command: "npx",
      args: ["tenon", "build"],
      group: "build",
      problemMatcher,
    },
  ],
};

/** Launch configurations: `tenon dev` under the debugger, and attaching to a running `tenon dev`. */
const launch = {
  version: "0.2.0",
  configurations: [
    {
      name: "tenon dev",
      type: "node",
      request: "launch",
      program: "${workspaceFolder}/node_modules/tenon/dist/cli/main.js",
      args: ["dev"],
      console: "integratedTerminal",
      skipFiles: ["<node_internals>/**", "**/node_modules/**"],
    },
    { name: "Attach to tenon dev --inspect", type: "node", request: "attach", port: 9229, restart: true },
  ],
};

/** Files of VS Code for a project with tenon, by path. */
export const vscodeFiles = {
  ".vscode/tasks.json": print(tasks),
  ".vscode/launch.json": print(launch),
  ".vscode/extensions.json": print({ recommendations: ["tenon.tenon"] }),
} as const satisfies Readonly<Record<string, string>>;

function print(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
