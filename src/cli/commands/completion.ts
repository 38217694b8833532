import type { Command } from "commander";
import { print } from "../context/context.js";
import type { Context } from "../context/context.js";
import { exitCodes } from "../context/exitCodes.js";

/** Prints a script that completes commands and options; each shell's own help says where to put it. */
export async function completion(
  context: Pick<Context, "terminal">,
  program: Command,
  shell: string,
): Promise<number> {
  print(context, scriptFor(shell, program));
  return exitCodes.ok;
}

function scriptFor(shell: string, program: Command): string {
  if (shell === "fish") return fish(program);
  const zsh = shell === "zsh" ? ["autoload -U +X bashcompinit && bashcompinit"] : [];
  return [...zsh, bash(program)].join("\n");
}

function bash(program: Command): string {
  const cases = program.commands.map((each) => `    ${each.name()}) words="${flags(each).join(" ")}" ;;`);
  return `_mcpvisor() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" words
  case "$previous" in
    --config|-c) COMPREPLY=($(compgen -f -- "$current")); return ;;
    --home|--workspace) COMPREPLY=($(compgen -d -- "$current")); return ;;
    --mode) COMPREPLY=($(compgen -W "ask allow-reads allow-all allow-trusted" -- "$current")); return ;;
  esac
  case "\${COMP_WORDS[1]}" in
${cases.join("\n")}
  esac
  if [ "$COMP_CWORD" -eq 1 ]; then words="${names(program).join(" ")} --help --version"; fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -F _mcpvisor mcpvisor`;
}

function fish(program: Command): string {
  const commands = program.commands.map(
    (each) =>
      `complete -c mcpvisor -f -n __fish_use_subcommand -a ${each.name()} -d '${quoted(each.description())}'`,
  );
  const options = program.commands.flatMap((each) =>
    each.options.map((option) => {
      const long = option.long?.replace(/^--/, "") ?? "";
      return `complete -c mcpvisor -n '__fish_seen_subcommand_from ${each.name()}' -l ${long} -d '${quoted(option.description)}'`;
    }),
  );
  return [...commands, ...options].join("\n");
}

function names(program: Command): string[] {
  return program.commands.map((each) => each.name());
}

function flags(command: Command): string[] {
  return command.options.flatMap((option) => (option.long === undefined ? [] : [option.long]));
}

function quoted(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("'", "\\'");
}
