import type { ServerSpec } from "../../spec.js";

/** Between a server and the consumer whose life it is; no id of a configuration holds it. */
const mark = "@";
/** A consumer that comes and goes leaves no process behind. */
const idleMs = 300_000;

/** The spec of the life that one consumer has of a server to itself. */
export function ownSpec(spec: ServerSpec, consumer: string): ServerSpec {
  return {
    ...spec,
    id: `${spec.id}${mark}${consumer}`,
    name: `${spec.name} (${consumer})`,
    lazy: true,
    required: false,
    sharing: "shared",
    idleTimeoutMs: spec.idleTimeoutMs ?? idleMs,
  };
}

/** The server and the consumer of an id that `ownSpec` made. */
export function ownerOfLife(id: string): { readonly server: string; readonly consumer: string } | undefined {
  const at = id.indexOf(mark);
  return at < 0 ? undefined : { server: id.slice(0, at), consumer: id.slice(at + 1) };
}

/** The specs of consumers' own lives that go on under these specs of the configuration. */
export function ownSpecs(known: Iterable<string>, specs: readonly ServerSpec[]): ServerSpec[] {
  return [...known].flatMap((id) => {
    const owner = ownerOfLife(id);
    const spec = owner === undefined ? undefined : specs.find((each) => each.id === owner.server);
    return owner === undefined || spec?.sharing !== "consumer" ? [] : [ownSpec(spec, owner.consumer)];
  });
}
