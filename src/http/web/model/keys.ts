import { move } from "./actions.js";
import { leaveLogin } from "./login.js";
import { helpOpen, select, selected, servers, tab } from "./store.js";

/** Single keys for everything an operator does often; silent while something is typed. */
export function onKey(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape") return escape();
  if (isTyping(event.target)) return;
  const action = actions[event.key];
  if (action === undefined) return;
  event.preventDefault();
  action();
}

const actions: Readonly<Record<string, () => void>> = {
  j: () => step(1),
  ArrowDown: () => step(1),
  k: () => step(-1),
  ArrowUp: () => step(-1),
  o: () => void (tab.value = "overview"),
  t: () => void (tab.value = "tools"),
  e: () => void (tab.value = "output"),
  C: () => withSelected("connect"),
  D: () => withSelected("disconnect"),
  R: () => withSelected("restart"),
  // The card, not a button: nothing runs by a habit of the fingers.
  a: () => focus(".approvals article"),
  f: () => focus("#feed-search"),
  "?": () => void (helpOpen.value = true),
  s: () => focus("#server-search"),
  "/": () => {
    tab.value = "tools";
    setTimeout(() => focus("#tool-search"));
  },
};

function step(by: number): void {
  const list = servers.value;
  const at = list.findIndex((server) => server.id === selected.value?.id);
  const next = list[Math.min(list.length - 1, Math.max(0, at + by))];
  if (next === undefined) return;
  select(next.id);
  setTimeout(() => focus(".servers [aria-current=true]"));
}

function withSelected(action: "connect" | "disconnect" | "restart"): void {
  if (selected.value !== undefined) void move(selected.value.id, action);
}

function focus(selector: string): void {
  document.querySelector<HTMLElement>(selector)?.focus();
}

function escape(): void {
  helpOpen.value = false;
  void leaveLogin();
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName);
}
