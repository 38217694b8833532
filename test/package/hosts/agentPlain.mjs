// The same for formats without `await` at the top of a module.
import { createSupervisor } from "mcpvisor";

async function main([, , file, home]) {
  const supervisor = createSupervisor({ configFiles: [file], home, mode: "allow-trusted" });
  const report = await supervisor.ready();
  const result = await supervisor.callTool("mcp_greeter_greet", { name: "bundle" });
  await supervisor.enableServer("spare", true);
  await supervisor.stop();
  process.stdout.write(
    `${JSON.stringify({ ok: report.ok, problems: report.problems, text: result.text })}\n`,
  );
}

void main(process.argv);
