import {
  CodeActionKind,
  CodeLensRefreshRequest,
  type Connection,
  createConnection,
  DidChangeWatchedFilesNotification,
  type InitializeParams,
  type InitializeResult,
  MessageType,
  ProposedFeatures,
  ShowMessageNotification,
  TextDocuments,
  TextDocumentSyncKind,
} from "vscode-languageserver/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import { packageVersion } from "../base/version.ts";
import { createIdleMemory, keepHeapSmall } from "../dev/idle-memory.ts";
import { codeActions, fixAllKind } from "./code-actions.ts";
import { codeLenses, openCommand } from "./code-lenses.ts";
import { completions } from "./completion.ts";
import { fileOf } from "./published.ts";
import { hoverAt } from "./hover.ts";
import { toolSymbols } from "./symbols.ts";
import { createWorkspace, type Workspace } from "./workspace.ts";

/** Files whose changes can affect findings. */
const watched = "**/*.{ts,tsx,mts,cts,js,mjs,json,md,html,css}";

/** Serves one editor on standard input and output; resolves when the editor disconnects. */
export function serveLanguage(): Promise<number> {
  const connection = createConnection(ProposedFeatures.all, process.stdin, process.stdout);
  const documents = new TextDocuments(TextDocument);
  keepHeapSmall();
  const memory = createIdleMemory();
  let workspace: Workspace | undefined;
  let client: InitializeParams["capabilities"] = {};

  connection.onInitialize((params): InitializeResult => {
    client = params.capabilities;
    const { against } = Object(params.initializationOptions) as { readonly against?: unknown };
    workspace = createWorkspace({
      documents,
      publish: (uri, diagnostics) => void connection.sendDiagnostics({ uri, diagnostics: [...diagnostics] }),
      log: (line) => connection.console.warn(line),
      rest: memory.rest,
      // Shows a message without buttons, since some clients refuse questions.
      show: (message) =>
        void connection.sendNotification(ShowMessageNotification.type, { type: MessageType.Warning, message }),
      lensesChanged: () => {
        if (client.workspace?.codeLens?.refreshSupport === true)
          void attempt(connection, connection.sendRequest(CodeLensRefreshRequest.type));
      },
      ...(typeof against === "string" && { against }),
    });
    return {
      serverInfo: { name: "tenon", version: packageVersion() },
      capabilities: {
        textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: true },
        codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix, fixAllKind] },
        hoverProvider: true,
        completionProvider: { triggerCharacters: ["@", " "] },
        codeLensProvider: {},
        documentSymbolProvider: true,
        workspaceSymbolProvider: true,
        executeCommandProvider: { commands: [openCommand] },
        workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
      },
    };
  });
  connection.onInitialized(async () => {
    const folders = (await listFolders(connection, client)).flatMap((uri) => fileOf(uri) ?? []);
    workspace?.openFolders(folders);
    if (client.workspace?.didChangeWatchedFiles?.dynamicRegistration !== true) return;
    const watchers = [{ globPattern: watched }, { globPattern: "**/Dockerfile" }];
    await attempt(connection, connection.client.register(DidChangeWatchedFilesNotification.type, { watchers }));
  });

  documents.onDidChangeContent(({ document }) => workspace?.changed(document));
  documents.onDidClose(({ document }) => workspace?.closed(document));
  const refresh = (changed: readonly { readonly uri: string }[]): void =>
    workspace?.refresh(changed.flatMap(({ uri }) => fileOf(uri) ?? []));
  documents.onDidSave(({ document }) => refresh([document]));
  connection.onDidChangeWatchedFiles(({ changes }) => refresh(changes));

  connection.onCodeAction(async ({ textDocument: { uri }, range, context }) => {
    await workspace?.placeOf(uri);
    return workspace === undefined ? [] : codeActions(workspace, uri, range, context.only);
  });
  connection.onHover(async ({ textDocument: { uri }, position }) => {
    const at = await workspace?.placeOf(uri);
    return at && hoverAt(at, position);
  });
  connection.onCompletion(async ({ textDocument: { uri }, position }) => {
    const document = documents.get(uri);
    return document === undefined ? [] : completions(document, position, (await workspace?.placeOf(uri))?.checked);
  });
  connection.onCodeLens(async ({ textDocument: { uri } }) => {
    const at = await workspace?.placeOf(uri);
    return at === undefined ? [] : codeLenses(at);
  });
  connection.onDocumentSymbol(async ({ textDocument: { uri } }) => {
    const at = await workspace?.placeOf(uri);
    return at === undefined ? [] : toolSymbols(at.checked, "", at.file);
  });
  connection.onWorkspaceSymbol(async ({ query }) =>
    ((await workspace?.all()) ?? []).flatMap((one) => toolSymbols(one, query)),
  );
  connection.onExecuteCommand(async ({ command, arguments: words = [] }) => {
    const [address] = words as readonly unknown[];
    if (command !== openCommand || typeof address !== "string") return;
    await connection.window.showDocument({ uri: address, external: true });
  });

  documents.listen(connection);
  return new Promise((resolve) => {
    connection.onShutdown(() => workspace?.dispose());
    connection.onExit(() => resolve(0));
    connection.listen();
  });
}

async function listFolders(
  connection: Connection,
  client: InitializeParams["capabilities"],
): Promise<readonly string[]> {
  if (client.workspace?.workspaceFolders !== true) return [];
  const folders = await attempt(connection, connection.workspace.getWorkspaceFolders());
  return (folders ?? []).map(({ uri }) => uri);
}

/** Logs that the client has refused a request that it claimed to support; this is not fatal. */
async function attempt<T>(connection: Connection, asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    connection.console.warn(`tenon: the editor refused: ${(error as Error).message}`);
    return undefined;
  }
}
