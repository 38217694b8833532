import { batch, computed, signal } from "@preact/signals";
import type {
  AccountStatus,
  ApprovalRequest,
  ConfigProblem,
  Fact,
  ServerStatus,
  ToolDescriptor,
} from "../../../index.js";
import type { Consumer } from "./api.js";
import { emptyHistory, learn, type History } from "./history.js";

export type Link = "connecting" | "live" | "lost" | "locked";
export type Tab = "overview" | "tools" | "output";
/** What a phone shows; wide screens show all three side by side. */
export type Pane = "servers" | "server" | "activity";

export const link = signal<Link>("connecting");
/** Epoch ms of the moment the link was lost. */
export const lostAt = signal(0);
export const servers = signal<readonly ServerStatus[]>([]);
export const tools = signal<readonly ToolDescriptor[]>([]);
export const consumers = signal<readonly Consumer[]>([]);
export const accounts = signal<readonly AccountStatus[]>([]);
export const approvals = signal<readonly ApprovalRequest[]>([]);
export const problems = signal<readonly ConfigProblem[]>([]);
/** Whether servers with a url may be connected. */
export const network = signal(true);
export const history = signal<History>(emptyHistory);
/** True when facts are missing from what is shown. */
export const gap = signal(false);
/** Epoch ms, moved every second. */
export const now = signal(Date.now());
export const selectedId = signal<string | undefined>(undefined);
export const tab = signal<Tab>("overview");
export const pane = signal<Pane>("servers");
/** False until the lists have come once: nothing to show is not the same as nothing there. */
export const loaded = signal(false);
/** What names of servers must hold to be shown. */
export const filterText = signal("");
/** Only servers in trouble are shown. */
export const onlyTrouble = signal(false);
export const notices = signal<readonly Notice[]>([]);
export const helpOpen = signal(false);

export interface Notice {
  readonly key: number;
  readonly tone: "good" | "bad";
  readonly text: string;
}

export const selected = computed(
  () => servers.value.find((server) => server.id === selectedId.value) ?? servers.value[0],
);

export function take(facts: readonly Fact[]): void {
  if (facts.length > 0) history.value = learn(history.value, facts);
}

export function forgetHistory(): void {
  history.value = emptyHistory;
}

export function select(id: string): void {
  batch(() => {
    selectedId.value = id;
    pane.value = "server";
  });
}

let noticeKey = 0;

/** Says something for a few seconds. */
export function notify(tone: Notice["tone"], text: string): void {
  const key = ++noticeKey;
  notices.value = [...notices.value.slice(-3), { key, tone, text }];
  setTimeout(
    () => (notices.value = notices.value.filter((notice) => notice.key !== key)),
    tone === "bad" ? 9000 : 4000,
  );
}
