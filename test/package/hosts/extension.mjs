// A VS Code extension: `activate` registers what is to be ended, `deactivate` waits for it.
import * as vscode from "vscode";
import { createSupervisor } from "mcpvisor";

let supervisor;

export async function activate(context) {
  supervisor = createSupervisor({
    configFiles: [vscode.workspace.file],
    home: context.globalStorageUri.fsPath,
    mode: "allow-trusted",
    handleSignals: false,
  });
  const report = await supervisor.ready();
  const result = await supervisor.callTool("mcp_greeter_greet", { name: "bundle" });
  await supervisor.enableServer("spare", true);
  process.stdout.write(
    `${JSON.stringify({ ok: report.ok, problems: report.problems, text: result.text })}\n`,
  );
}

export async function deactivate() {
  await supervisor.stop();
}
