import { effect } from "@preact/signals";
import { filterText, onlyTrouble, pane, selectedId, servers, tab, type Tab } from "./store.js";
import { attention } from "./attention.js";

const tabs: readonly Tab[] = ["overview", "tools", "output"];

/** What of the page is in the address: a reload, a bookmark and a link of a colleague show the same. */
export function readPlace(hash: string): void {
  const words = new URLSearchParams(hash.replace(/^#/, ""));
  const server = words.get("server");
  const shown = words.get("tab");
  if (server !== null) {
    selectedId.value = server;
    pane.value = "server";
  }
  tab.value = tabs.find((each) => each === shown) ?? "overview";
  filterText.value = words.get("find") ?? "";
  onlyTrouble.value = words.get("only") === "trouble";
}

/** The other way round. */
export function placeOf(): string {
  const words = new URLSearchParams();
  if (selectedId.value !== undefined) words.set("server", selectedId.value);
  if (tab.value !== "overview") words.set("tab", tab.value);
  if (filterText.value !== "") words.set("find", filterText.value);
  if (onlyTrouble.value) words.set("only", "trouble");
  return words.size === 0 ? "" : `#${words.toString()}`;
}

/** Keeps address and title in step with the page from now on. */
export function keepPlace(): void {
  effect(() => {
    const hash = placeOf();
    if (hash !== location.hash) window.history.replaceState(undefined, "", `${location.pathname}${hash}`);
  });
  effect(() => {
    const waiting = attention.value.filter(({ tone }) => tone !== "note").length;
    const ready = servers.value.filter(({ state }) => state === "ready").length;
    document.title = `${waiting === 0 ? "" : `(${waiting}) `}mcpvisor · ${ready} of ${servers.value.length} ready`;
  });
  addEventListener("hashchange", () => readPlace(location.hash));
}
