import { isCredentialName, isCredentialValue } from "../../policy/credentials.js";

/**
 * Literals in the arguments of a command that look like credentials: `--token=x`, `--api-key x`, and words that say what
 * they are (`ghp_…`, a URL with a password). A placeholder is none: what it stands for is known as a secret already.
 */
export function argumentSecrets(args: readonly string[]): string[] {
  return args.flatMap((each, at) => {
    const [, name, value] = /^--?([A-Za-z][\w.-]*)=(.+)$/s.exec(each) ?? [];
    if (name !== undefined && value !== undefined)
      return isCredentialName(name) || isCredentialValue(value) ? literal(value) : [];
    const flag = /^--?([A-Za-z][\w.-]*)$/.exec(args[at - 1] ?? "")?.[1];
    const isValue = flag !== undefined && isCredentialName(flag) && !each.startsWith("-");
    return isValue || isCredentialValue(each) ? literal(each) : [];
  });
}

/** Segments of the path of a URL that are well-known tokens. */
export function pathSecrets(url: string): string[] {
  if (!URL.canParse(url)) return [];
  return new URL(url).pathname.split("/").filter((each) => isCredentialValue(each));
}

function literal(value: string): string[] {
  return /^\$(?:\{[^}]*\}|[A-Za-z_]\w*)$/.test(value) ? [] : [value];
}
