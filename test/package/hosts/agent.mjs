// A program in one file: reads a configuration with comments, makes one call, and says what came of it.
import { createSupervisor } from "mcpvisor";

const [, , file, home] = process.argv;
const supervisor = createSupervisor({ configFiles: [file], home, mode: "allow-trusted" });
const report = await supervisor.ready();
const result = await supervisor.callTool("mcp_greeter_greet", { name: "bundle" });
// What is written back goes through the parser's other half.
await supervisor.enableServer("spare", true);
await supervisor.stop();
process.stdout.write(`${JSON.stringify({ ok: report.ok, problems: report.problems, text: result.text })}\n`);
