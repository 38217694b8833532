import { computed, signal } from "@preact/signals";

type Choice = "auto" | "light" | "dark";

const dark = matchMedia("(prefers-color-scheme: dark)");
const prefersDark = signal(dark.matches);
dark.addEventListener("change", () => (prefersDark.value = dark.matches));

export const choice = signal<Choice>(stored());

/** What is shown now. */
export const theme = computed<"light" | "dark">(() => {
  if (choice.value !== "auto") return choice.value;
  return prefersDark.value ? "dark" : "light";
});

/** auto, light, dark, auto … */
export function nextTheme(): void {
  const next: Record<Choice, Choice> = { auto: "light", light: "dark", dark: "auto" };
  choice.value = next[choice.value];
  localStorage.setItem("mcpvisor.theme", choice.value);
}

function stored(): Choice {
  const value = localStorage.getItem("mcpvisor.theme");
  return value === "light" || value === "dark" ? value : "auto";
}
