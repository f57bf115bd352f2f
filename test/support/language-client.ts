import { spawn } from "node:child_process";
import { once } from "node:events";
import { pathToFileURL } from "node:url";
import { join } from "node:path";
import {
  type CodeAction,
  CodeActionRequest,
  CodeLensRequest,
  CompletionRequest,
  createProtocolConnection,
  type Diagnostic,
  DidChangeTextDocumentNotification,
  DidChangeWatchedFilesNotification,
  DidCloseTextDocumentNotification,
  DidOpenTextDocumentNotification,
  DidSaveTextDocumentNotification,
  DocumentSymbolRequest,
  ExitNotification,
  FileChangeType,
  HoverRequest,
  InitializedNotification,
  InitializeRequest,
  type ProtocolConnection,
  PublishDiagnosticsNotification,
  ShutdownRequest,
  StreamMessageReader,
  StreamMessageWriter,
  type TextEdit,
  WorkspaceSymbolRequest,
} from "vscode-languageserver/node";
import { TextDocument } from "vscode-languageserver-textdocument";

/** An editor that has started `tenon lsp` in a folder. */
export interface LanguageClient {
  readonly connection: ProtocolConnection;
  /** Process of the server. */
  readonly pid: number;
  open(path: string, text: string): void;
  /** Replaces the whole text of an open document. */
  type(path: string, text: string): void;
  save(path: string): void;
  /** Tells that a file on disk has changed. */
  changed(path: string): void;
  close(path: string): void;
  /** The findings that the server has published last for a file. */
  findings(path: string): readonly Diagnostic[] | undefined;
  codes(path: string): readonly string[] | undefined;
  actions(path: string, at: Diagnostic, only?: string): Promise<readonly CodeAction[]>;
  /** The text of a document after an action. */
  applied(path: string, action: CodeAction | undefined): string;
  hover(path: string, needle: string): Promise<string>;
  completion(path: string, needle: string): Promise<readonly string[]>;
  lenses(path: string): Promise<readonly string[]>;
  symbols(query: string): Promise<readonly string[]>;
  outline(path: string): Promise<readonly string[]>;
  /** The text that the server wrote on standard error. */
  stderr(): string;
  /** Leaves as editors do. Returns the exit code of the server. */
  leave(): Promise<number | null>;
  /** Ends the editor in the middle, so that the server's standard input ends. */
  crash(): Promise<number | null>;
}

/** Starts the server and shakes hands. @param main The program of the command line */
export async function languageClient(main: string, root: string, options?: object): Promise<LanguageClient> {
  const child = spawn(process.execPath, [main, "lsp", "--stdio"], { cwd: root, stdio: "pipe" });
  let said = "";
  let sent: Promise<void> | undefined;
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said += text));
  const ended = once(child, "exit") as Promise<[number | null]>;
  const connection = createProtocolConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
  const uriOf = (path: string): string => pathToFileURL(join(root, path)).href;
  const published = new Map<string, readonly Diagnostic[]>();
  const documents = new Map<string, TextDocument>();
  const documentOf = (path: string): TextDocument => documents.get(path) ?? TextDocument.create(uriOf(path), "", 0, "");
  const at = (path: string, needle: string) => ({
    textDocument: { uri: uriOf(path) },
    position: documentOf(path).positionAt(documentOf(path).getText().indexOf(needle)),
  });
  connection.onNotification(
    PublishDiagnosticsNotification.type,
    ({ uri, diagnostics }) => void published.set(uri, diagnostics),
  );
  connection.listen();
  const folder = { uri: pathToFileURL(root).href, name: "project" };
  await connection.sendRequest(InitializeRequest.type, {
    processId: process.pid,
    rootUri: folder.uri,
    workspaceFolders: [folder],
    capabilities: {},
    ...(options && { initializationOptions: options }),
  });
  await connection.sendNotification(InitializedNotification.type, {});

  const client: LanguageClient = {
    connection,
    pid: child.pid ?? 0,
    open(path, text) {
      documents.set(path, TextDocument.create(uriOf(path), "typescript", 1, text));
      const item = { uri: uriOf(path), languageId: "typescript", version: 1, text };
      sent = connection.sendNotification(DidOpenTextDocumentNotification.type, { textDocument: item });
    },
    type(path, text) {
      const version = documentOf(path).version + 1;
      documents.set(path, TextDocument.create(uriOf(path), "typescript", version, text));
      const textDocument = { uri: uriOf(path), version };
      void connection.sendNotification(DidChangeTextDocumentNotification.type, {
        textDocument,
        contentChanges: [{ text }],
      });
    },
    save: (path) =>
      void connection.sendNotification(DidSaveTextDocumentNotification.type, { textDocument: { uri: uriOf(path) } }),
    changed: (path) =>
      void connection.sendNotification(DidChangeWatchedFilesNotification.type, {
        changes: [{ uri: uriOf(path), type: FileChangeType.Changed }],
      }),
    close: (path) =>
      void connection.sendNotification(DidCloseTextDocumentNotification.type, { textDocument: { uri: uriOf(path) } }),
    findings: (path) => published.get(uriOf(path)),
    codes: (path) => client.findings(path)?.map(({ code }) => String(code)),
    async actions(path, { range }, only) {
      const context = { diagnostics: [], ...(only !== undefined && { only: [only] }) };
      const found = await connection.sendRequest(CodeActionRequest.type, {
        textDocument: { uri: uriOf(path) },
        range,
        context,
      });
      return (found ?? []) as readonly CodeAction[];
    },
    applied(path, action) {
      const edits: readonly TextEdit[] = action?.edit?.changes?.[uriOf(path)] ?? [];
      return TextDocument.applyEdits(documentOf(path), [...edits]);
    },
    async hover(path, needle) {
      const found = await connection.sendRequest(HoverRequest.type, at(path, needle));
      return found === null || typeof found.contents !== "object" || !("value" in found.contents)
        ? ""
        : found.contents.value;
    },
    async completion(path, needle) {
      const { textDocument, position } = at(path, needle);
      const behind = { line: position.line, character: position.character + needle.length };
      const found = await connection.sendRequest(CompletionRequest.type, { textDocument, position: behind });
      return (Array.isArray(found) ? found : []).map(({ label }) => label);
    },
    async lenses(path) {
      const found = await connection.sendRequest(CodeLensRequest.type, { textDocument: { uri: uriOf(path) } });
      return (found ?? []).map(({ command }) => `${command?.title} ${String(command?.arguments?.[0] ?? "")}`.trim());
    },
    async symbols(query) {
      const found = await connection.sendRequest(WorkspaceSymbolRequest.type, { query });
      return (found ?? []).map(({ name }) => name);
    },
    async outline(path) {
      const found = await connection.sendRequest(DocumentSymbolRequest.type, { textDocument: { uri: uriOf(path) } });
      return (found ?? []).map(({ name }) => name);
    },
    stderr: () => said,
    async leave() {
      await connection.sendRequest(ShutdownRequest.type);
      await connection.sendNotification(ExitNotification.type);
      return (await ended)[0];
    },
    async crash() {
      await sent;
      child.stdin.end();
      return (await ended)[0];
    },
  };
  return client;
}
