// A TypeDoc plugin: a public union of words (failure kinds, causes, faults …) needs a line for each word. TypeDoc's own
// check ends at the name of the union.
// The Markdown pages get these lines as a list: the theme shows the words alone.
import { Application, Converter, ReflectionKind } from "typedoc";

/** @param {Application} app */
export function load(app) {
  app.converter.on(Converter.EVENT_RESOLVE_END, ({ project }) => {
    for (const { comment, type } of project.getReflectionsByKind(ReflectionKind.TypeAlias)) {
      if (type?.type !== "union" || type.types.some((each) => each.type !== "literal")) continue;
      for (const [at, { value }] of type.types.entries()) {
        comment?.summary.push({ kind: "text", text: at === 0 ? "\n\n- " : "\n- " });
        comment?.summary.push({ kind: "code", text: `\`${value}\`` });
        comment?.summary.push({ kind: "text", text: ": " }, ...(type.elementSummaries?.[at] ?? []));
      }
    }
  });
  app.on(Application.EVENT_VALIDATE_PROJECT, (project) => {
    for (const alias of project.getReflectionsByKind(ReflectionKind.TypeAlias)) {
      const { type } = alias;
      if (type?.type !== "union" || type.types.some((each) => each.type !== "literal")) continue;
      const bare = type.types.filter((_, at) => !type.elementSummaries?.[at]?.length);
      if (bare.length === 0) continue;
      const words = bare.map((each) => each.value).join(", ");
      app.logger.validationWarning(`${alias.getFriendlyFullName()}: no documentation of its words ${words}`);
    }
  });
}
