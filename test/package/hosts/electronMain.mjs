// The main process of an Electron app: state in the app's own folder, children end before the app quits.
import { app } from "electron";
import { createSupervisor } from "mcpvisor";

async function main() {
  await app.whenReady();
  const supervisor = createSupervisor({
    configFiles: [process.argv[2]],
    home: app.getPath("userData"),
    mode: "allow-trusted",
    handleSignals: false,
  });
  app.on("before-quit", async (event) => {
    event.preventDefault();
    await supervisor.stop();
    app.exit(0);
  });
  const report = await supervisor.ready();
  const result = await supervisor.callTool("mcp_greeter_greet", { name: "bundle" });
  await supervisor.enableServer("spare", true);
  process.stdout.write(
    `${JSON.stringify({ ok: report.ok, problems: report.problems, text: result.text })}\n`,
  );
  app.quit();
}

void main();
