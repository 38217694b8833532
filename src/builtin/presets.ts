import { fileURLToPath } from "node:url";

/** An entry a fresh fleet shows, switched off; `${node}`, `${mcpvisor}` and `${home}` are placeholders that the host fills. */
export interface Preset {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Variables of the host that the server may see. */
  readonly pass: readonly string[];
  readonly enabled: false;
}

/** Where the OS keyring is asked, and proxies that are no part of every host's safe list. */
const alwaysPassed = ["DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR"];

/**
 * The two servers that ship with mcpvisor. `${node}` is the running Node's path, `${mcpvisor}` where mcpvisor is installed, `${home}` the state folder. There are
 * none where their programs are not beside this one: in a bundle.
 */
export function presets(): readonly Preset[] {
  if (installFolder() === undefined) return [];
  const gmail = programOf("gmail");
  const connectors = programOf("connectors");
  return [
    {
      id: "gmail",
      name: "Gmail",
      description: "Search, read, draft, send and trash mail of one Gmail account",
      command: "${node}",
      args: [gmail, "--home", "${home}"],
      pass: [...alwaysPassed, "MCPVISOR_GMAIL_TOKEN", "MCPVISOR_GMAIL_URL"],
      enabled: false,
    },
    {
      id: "connectors",
      name: "Connectors",
      description:
        "GitHub, Slack, Notion, Linear, Vercel, Cloudflare and Supabase through connected accounts",
      command: "${node}",
      args: [
        connectors,
        "--home",
        "${home}",
        "--services",
        "github,slack,notion,linear,vercel,cloudflare,supabase",
      ],
      pass: [
        ...alwaysPassed,
        ...["GITHUB", "SLACK", "NOTION", "LINEAR", "VERCEL", "CLOUDFLARE", "SUPABASE"].flatMap((name) => [
          `MCPVISOR_${name}_TOKEN`,
          `MCPVISOR_${name}_URL`,
        ]),
      ],
      enabled: false,
    },
  ];
}

/** A program that ships with mcpvisor, wherever that is installed by the time it starts. */
function programOf(name: string): string {
  return `\${mcpvisor}/builtin/${name}/main.js`;
}

/** Where the built programs of mcpvisor lie; the same whether this module runs from src or from dist. */
export function installFolder(): string | undefined {
  try {
    return fileURLToPath(new URL("../../dist/", import.meta.url)).replace(/[/\\]$/, "");
  } catch {
    // In a CommonJS bundle, where no module has an address.
    return undefined;
  }
}
