/** Of this tab and this origin alone: no other program sees it, as it would see a cookie. */
const key = "mcpvisor.page";

export function keepPage(half: string): void {
  sessionStorage.setItem(key, half);
}

/** What every request carries beside the cookie; without it the cookie is worth nothing. */
export function pageHeaders(): Record<string, string> {
  const half = sessionStorage.getItem(key);
  return half === null ? {} : { "x-mcpvisor-page": half };
}
