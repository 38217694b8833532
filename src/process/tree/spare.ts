/**
 * Daemons that tools start on the way and that users want to keep. They are spared only when they have left the
 * server's session and have no parent in the tree any more.
 */
const sharedDaemons: ReadonlySet<string> = new Set([
  "gpg-agent",
  "scdaemon",
  "dirmngr",
  "keyboxd",
  "ssh-agent",
  "gnome-keyring-d",
  "adb",
  "watchman",
  "tmux: server",
  "tmux",
  "screen",
  "bazel",
  "dbus-daemon",
  "dockerd",
  "containerd",
  "emacs",
]);

/** The same names for the watchdog's program: alternatives of an extended regular expression. */
export const sharedDaemonPattern = [...sharedDaemons].join("|");

/** Whether a program of this (short) name is such a daemon. */
export function isSharedDaemon(name: string): boolean {
  return sharedDaemons.has(name);
}
