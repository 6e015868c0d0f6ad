import { z } from 'zod';
import type { ErrorCode } from './errors.ts';

/** HTTP verbs the product uses. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Path prefix of every public call (decisions, section 1). */
export const API_PREFIX = '/api';

type Shape = z.ZodType;

/**
 * One HTTP call, declared once: it validates requests and answers in the service, types the client in the browser and
 * becomes an operation of the OpenAPI document.
 */
export type Endpoint = {
  readonly method: Method;
  /** Below `API_PREFIX`, parameters as `:name`. A malformed parameter answers 404, as if the resource did not exist. */
  readonly path: string;
  readonly summary: string;
  /** `public` does not look at an access token, `user` needs a valid one, `admin` one of an administrator. */
  readonly access: 'public' | 'user' | 'admin';
  /** What everybody else is told where only administrators have access. */
  readonly forbiddenMessage?: string;
  readonly params?: Shape;
  readonly query?: Shape;
  /** JSON body. */
  readonly body?: Shape;
  /** The largest JSON body, in bytes, where `bodyLimitOf` gives too little for what the schema allows; at most 1 MB. */
  readonly maxBodyBytes?: number;
  /** Whether it takes an `Idempotency-Key`: the same one again gives the first answer again, with something else it answers 409. */
  readonly idempotent?: true;
  /** The field of its JSON body that does the same: with the same value again it gives the first answer again. */
  readonly idempotencyField?: string;
  /**
   * Fields of a `multipart/form-data` body, for the documentation; the service streams the parts itself. Beside `body` the content type
   * chooses, and a form has no parsed `body`.
   */
  readonly multipart?: Shape;
  /** The body is bytes as they are (`application/octet-stream`), which the service streams; in words what they are. */
  readonly bytes?: string;
  /** Success answer; absent for 202 and 204. */
  readonly response?: Shape;
  /** The media type of an answer that is no JSON but a text. */
  readonly media?: string;
  readonly status: 200 | 201 | 202 | 204;
  /** A second way to succeed: 200 where it was there already, 204 where nothing is left to answer, 304 where whoever asks has it as it is. */
  readonly alternateStatus?: 200 | 204 | 304;
  /** Refusals beyond the ones every call can give (400, 401, 413, 415, 429, 503). */
  readonly errors?: readonly ErrorCode[];
  /** Sentences of `validation_failed` beyond those of the schemas: what the workspace has to hold for the call to be right. */
  readonly rules?: readonly string[];
};

/** An `Idempotency-Key` as requests give it: 1 to 200 printable characters of ASCII. */
export const idempotencyKey = z
  .string()
  .regex(/^[!-~](?:[ -~]{0,198}[!-~])?$/, 'Idempotency-Key must have 1 to 200 characters');

/** Declares an endpoint and keeps its exact type. */
export function endpoint<const E extends Endpoint>(spec: E): E {
  return spec;
}

/** Of a call by somebody who has signed in: 64 KB. */
const BODY_BYTES = 65_536;
/** Of a call by anybody: 16 KB. */
const PUBLIC_BODY_BYTES = 16_384;

/** How many bytes the JSON body of a call may have; a larger one answers 413 without being read on. */
export function bodyLimitOf({ access, maxBodyBytes }: Endpoint): number {
  return maxBodyBytes ?? (access === 'public' ? PUBLIC_BODY_BYTES : BODY_BYTES);
}

type Output<T> = T extends z.ZodType ? z.output<T> : undefined;
type Input<T> = T extends z.ZodType ? z.input<T> : undefined;

/** What a handler receives: parsed and stripped of unknown fields. */
export type RequestOf<E extends Endpoint> = {
  params: Output<E['params']>;
  query: Output<E['query']>;
  body: Output<E['body']> | (E['multipart'] extends z.ZodType ? undefined : never);
};

/** What a client sends. */
export type CallOf<E extends Endpoint> = {
  params: Input<E['params']>;
  query: Input<E['query']>;
  body: Input<E['body']>;
};

/** What a client gets: the JSON answer, `undefined` where the endpoint answers no body. */
export type ResponseOf<E extends Endpoint> = Output<E['response']>;

/** What a handler returns; the answer is this value parsed by the endpoint's response schema, or no body without one. */
export type ResultOf<E extends Endpoint> = E['response'] extends z.ZodType
  ? z.input<E['response']> | (E['alternateStatus'] extends 204 | 304 ? undefined : never)
  : unknown;

/** True for values made by `endpoint`, to collect them from a module namespace. */
export function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'access' in value;
}
