import { computed } from "@preact/signals";
import { attentionOf } from "../../../policy/attention.js";
import { approvals, problems, servers } from "./store.js";

/** What needs attention, the most urgent first. */
export const attention = computed(() =>
  attentionOf({ servers: servers.value, approvals: approvals.value, problems: problems.value }),
);
