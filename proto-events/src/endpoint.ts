import { z } from 'zod';
import type { ErrorCode } from './errors.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export const API_PREFIX = '/api';

/**
 * An HTTP endpoint, declared once: it validates requests and responses in the service, types the client, and becomes an
 * operation of the OpenAPI document.
 */
export type Endpoint = {
  readonly method: Method;
  /** Below `API_PREFIX`, parameters as `:name`. A malformed parameter responds 404. */
  readonly path: string;
  readonly summary: string;
  /** `public` ignores access tokens, `user` requires a valid one, `admin` requires an administrator's. */
  readonly access: 'public' | 'user' | 'admin';
  /** Message of the 403 for users who are not administrators. */
  readonly forbiddenMessage?: string;
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** Maximum JSON body in bytes, where `getBodyLimit` allows too little for the schema; at most 1 MB. */
  readonly maxBodyBytes?: number;
  /**
   * Accepts an `Idempotency-Key`: the same key repeats the first response, or responds 409 with a different request.
   */
  readonly idempotent?: true;
  /** Field of the JSON body that serves as the idempotency key. */
  readonly idempotencyField?: string;
  /**
   * Fields of a `multipart/form-data` body, for the API documentation: services read forms as streams. If there is also
   * a `body`, the content type decides, and a form has no parsed `body`.
   */
  readonly multipart?: z.ZodType;
  /** Accepts a body of any type, up to the limit, and ignores it: RFC 8058 has mail programs send a form. */
  readonly ignoresBody?: true;
  /** Describes a body of raw bytes (`application/octet-stream`), which the service streams. */
  readonly binaryBody?: string;
  readonly response?: z.ZodType;
  /** Media type of a response that is text rather than JSON. */
  readonly mediaType?: string;
  readonly status: 200 | 201 | 202 | 204;
  /**
   * A second success status: 200 if the resource already existed, 202 with an `alternateResponse`, 204 if there is no
   * content, 304 if it was not modified.
   */
  readonly alternateStatus?: 200 | 202 | 204 | 304;
  /** The response with status 202, for a request that is carried out later. */
  readonly alternateResponse?: z.ZodType;
  /** Errors beyond those that every endpoint can return (400, 401, 413, 415, 429, 503). */
  readonly errors?: readonly ErrorCode[];
  /** Messages of `validation_failed` beyond those of the schemas, about the state of the workspace. */
  readonly rules?: readonly string[];
};

/** 1 to 200 printable ASCII characters. */
export const idempotencyKey = z
  .string()
  .regex(/^[!-~](?:[ -~]{0,198}[!-~])?$/, 'Idempotency-Key must have 1 to 200 characters');

export function endpoint<const E extends Endpoint>(spec: E): E {
  return spec;
}

const BODY_BYTES = 65_536;
const PUBLIC_BODY_BYTES = 16_384;

/** Returns the limit in bytes. A larger body is rejected with 413 before it is read completely. */
export function getBodyLimit({ access, maxBodyBytes }: Endpoint): number {
  return maxBodyBytes ?? (access === 'public' ? PUBLIC_BODY_BYTES : BODY_BYTES);
}

type Output<T> = T extends z.ZodType ? z.output<T> : undefined;
type Input<T> = T extends z.ZodType ? z.input<T> : undefined;

export type RequestOf<E extends Endpoint> = {
  params: Output<E['params']>;
  query: Output<E['query']>;
  body: Output<E['body']> | (E['multipart'] extends z.ZodType ? undefined : never);
};

/** The input of a client. */
export type CallOf<E extends Endpoint> = {
  params: Input<E['params']>;
  query: Input<E['query']>;
  body: Input<E['body']>;
};

/**
 * The response with whole users, which clients insert from `people` (`insertPeople`); `undefined` if the endpoint returns
 * no body.
 */
export type ResponseOf<E extends Endpoint> = Input<E['response']>;

/** The result of a handler, before it is parsed by the endpoint's response schema. */
export type ResultOf<E extends Endpoint> = E['response'] extends z.ZodType
  ? z.input<E['response']> | (E['alternateStatus'] extends 204 | 304 ? undefined : never) | Accepted<E>
  : unknown;

/** A result with status 202. */
export type Accepted<E extends Endpoint> = E['alternateResponse'] extends z.ZodType
  ? { accepted: z.input<E['alternateResponse']> }
  : never;

export function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'access' in value;
}
