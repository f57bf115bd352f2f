import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import * as vscode from "vscode";
import { LanguageClient, State } from "vscode-languageclient/node";

/** One server for each folder of the workspace that has tenon installed: editor and build agree, whatever its version. */
const clients = new Map<string, LanguageClient>();

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const output = vscode.window.createOutputChannel("tenon", { log: true });
  const status = vscode.window.createStatusBarItem("tenon", vscode.StatusBarAlignment.Right);
  status.name = "tenon";
  status.command = "tenon.showOutput";
  context.subscriptions.push(output, status);

  const restart = async (): Promise<void> => {
    await stopAll();
    for (const folder of vscode.workspace.workspaceFolders ?? []) await start(folder, output, status);
    show(status);
  };
  context.subscriptions.push(
    vscode.commands.registerCommand("tenon.restart", restart),
    vscode.commands.registerCommand("tenon.showOutput", () => output.show()),
    vscode.workspace.onDidChangeWorkspaceFolders(restart),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (["tenon.against", "tenon.node"].some((name) => change.affectsConfiguration(name))) void restart();
    }),
  );
  // The server is that of the project: an installation or an update brings another one.
  const installed = vscode.workspace.createFileSystemWatcher("**/node_modules/tenon/package.json");
  context.subscriptions.push(installed, installed.onDidCreate(restart), installed.onDidChange(restart));
  await restart();
}

export function deactivate(): Promise<void> {
  return stopAll();
}

async function stopAll(): Promise<void> {
  const all = [...clients.values()];
  clients.clear();
  await Promise.all(all.map((client) => client.stop().catch(() => undefined)));
}

async function start(
  folder: vscode.WorkspaceFolder,
  output: vscode.LogOutputChannel,
  status: vscode.StatusBarItem,
): Promise<void> {
  const program = installedProgram(folder.uri.fsPath);
  if (program === undefined) return;
  if (!vscode.workspace.isTrusted) {
    output.warn(`${folder.name} is not trusted, so that its tenon is not started.`);
    return;
  }
  const settings = vscode.workspace.getConfiguration("tenon", folder);
  const [against, node] = [settings.get<string>("against"), settings.get<string>("node")];
  const run = { command: node || "node", args: [program, "lsp", "--stdio"], options: { cwd: folder.uri.fsPath } };
  const client = new LanguageClient(
    "tenon",
    `tenon (${folder.name})`,
    { run, debug: run },
    {
      documentSelector: ["typescript", "typescriptreact"].map((language) => ({
        language,
        scheme: "file",
        pattern: `${folder.uri.fsPath.replaceAll("\\", "/")}/**/*`,
      })),
      workspaceFolder: folder,
      outputChannel: output,
      initializationOptions: { ...(against !== undefined && against !== "" && { against }) },
    },
  );
  client.onDidChangeState(() => show(status));
  clients.set(folder.uri.toString(), client);
  try {
    await client.start();
  } catch (error) {
    clients.delete(folder.uri.toString());
    output.warn(`tenon does not start in ${folder.name}: ${(error as Error).message}`);
  }
}

/** The command line of the nearest tenon, upwards: in a monorepo it is often installed at its root. */
function installedProgram(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const program = join(at, "node_modules", "tenon", "dist", "cli", "main.js");
    if (existsSync(program)) return program;
    if (dirname(at) === at) return undefined;
  }
}

function show(status: vscode.StatusBarItem): void {
  const all = [...clients.values()];
  if (all.length === 0) {
    status.hide();
    return;
  }
  const isRunning = all.every(({ state }) => state === State.Running);
  status.text = isRunning ? "tenon" : "$(warning) tenon";
  status.tooltip = isRunning ? "The language server of tenon runs." : "The language server of tenon does not run.";
  status.show();
}
