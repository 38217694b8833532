import type * as z from "zod";
import type { Account } from "./account.js";

/** Where a client gets its account from. */
export interface Access {
  current(signal?: AbortSignal): Promise<Account>;
  /** A newer account after `refused` got a 401, or undefined when there is no way to a newer one. */
  renew(refused: Account, signal?: AbortSignal): Promise<Account | undefined>;
}

/** Parameters of a request; undefined ones are left out, lists are repeated. */
export type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

/** Headers of an answer, names in lower case. */
export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** One request to a service. */
export interface Ask {
  readonly method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  readonly path: string;
  readonly query?: Query;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  /** May be sent twice although it is no GET (a GraphQL query, a search by POST). */
  readonly safe?: boolean;
}

/** What a service answered, in the form that was asked for. */
export interface Reply<T> {
  readonly data: T;
  readonly headers: Headers;
}

/** Talks to one service for one tool call; every failure is a ServiceError with a message a model can act on. */
export interface Client {
  readonly account: () => Promise<Account>;
  get<S extends z.ZodType>(schema: S, path: string, query?: Query): Promise<z.infer<S>>;
  post<S extends z.ZodType>(schema: S, path: string, json: unknown): Promise<z.infer<S>>;
  /** The general form, with the answer's headers. */
  request<S extends z.ZodType>(schema: S, ask: Ask): Promise<Reply<z.infer<S>>>;
}
