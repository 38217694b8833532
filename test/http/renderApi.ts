/** The parts of an OpenAPI document that docs/http-api.md shows. */
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface Operation {
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly security: readonly unknown[];
  readonly parameters?: readonly { in: string; name: string; description?: string; schema: Schema }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Content }>>;
}

type Content = Readonly<Record<string, { readonly schema?: Schema }>>;

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly description?: string;
}

/** The reference part of docs/http-api.md. */
export function renderApi(document: object): string {
  const { paths, components } = document as Document;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const tags = [...new Set(operations.flatMap(({ operation }) => operation.tags))];
  return [
    ...tags.flatMap((tag) => {
      const own = operations.filter(({ operation }) => operation.tags.includes(tag));
      return [`## ${tag[0]?.toUpperCase() ?? ""}${tag.slice(1)}`].concat(own.map(renderOperation));
    }),
    "## Shapes",
    ...Object.entries(components.schemas).map(([name, schema]) => renderShape(name, schema)),
  ].join("\n\n");
}

function renderOperation({
  path,
  method,
  operation,
}: {
  path: string;
  method: string;
  operation: Operation;
}): string {
  const { summary, description, security, parameters = [], requestBody, responses } = operation;
  const query = parameters.filter((parameter) => parameter.in === "query");
  return [
    `### \`${method.toUpperCase()} ${path}\``,
    `${summary}.${security.length === 0 ? " Needs no token." : ""}${description === undefined ? "" : ` ${description}`}`,
    ...(query.length === 0
      ? []
      : [
          query
            .map((each) => `- \`?${each.name}=\` ${each.schema.description ?? each.description ?? ""}`)
            .join("\n"),
        ]),
    ...(requestBody === undefined ? [] : [`Body: ${contentOf(requestBody.content)}`]),
    [
      "| status | answer |",
      "| --- | --- |",
      ...Object.entries(responses).map(
        ([status, each]) =>
          `| ${status} | ${each.description}${each.content === undefined ? "" : `: ${contentOf(each.content)}`} |`,
      ),
    ].join("\n"),
  ].join("\n\n");
}

function renderShape(name: string, { description, properties = {}, required = [] }: Schema): string {
  return [
    `### ${name}`,
    ...(description === undefined ? [] : [description]),
    [
      "| member | type | |",
      "| --- | --- | --- |",
      ...Object.entries(properties).map(
        ([member, schema]) =>
          `| \`${member}\`${required.includes(member) ? "" : "?"} | ${typeOf(schema)} | ${schema.description ?? ""} |`,
      ),
    ].join("\n"),
  ].join("\n\n");
}

function contentOf(content: Content): string {
  return Object.entries(content)
    .map(([type, { schema }]) =>
      type === "application/json" && schema !== undefined ? typeOf(schema) : `\`${type}\``,
    )
    .join(", ");
}

function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split("/").at(-1) ?? "";
    return `[${name}](#${name.toLowerCase()})`;
  }
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${String(value)}\``).join(", ");
  if (schema.items !== undefined) return `list of ${typeOf(schema.items)}`;
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeOf).join(" or ");
  if (schema.properties !== undefined)
    return `{ ${Object.keys(schema.properties)
      .map((key) => `\`${key}\``)
      .join(", ")} }`;
  return schema.type === undefined ? "any" : [schema.type].flat().join(" or ");
}
