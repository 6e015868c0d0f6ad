import { type Endpoint, getBodyLimit } from '@atrium/proto-events/endpoint';
import express, { type Request, type RequestHandler } from 'express';
import { AppError } from '../errors/app-error.ts';

export const isForm = ({ multipart }: Endpoint, req: Request): boolean =>
  multipart !== undefined && Boolean(req.is('multipart/form-data'));

/**
 * A declared length over the limit is rejected before the body is read, and too deep nesting after it is parsed. A form
 * that the contract accepts is left to its handler.
 */
export function jsonBody(endpoint: Endpoint): RequestHandler[] {
  const limit = getBodyLimit(endpoint);
  const rejectBody: RequestHandler = (req, _res, next) => {
    if (isForm(endpoint, req)) return next();
    const length = Number(req.headers['content-length'] ?? 0);
    const hasBody = length > 0 || req.headers['transfer-encoding'] !== undefined;
    if (hasBody && !endpoint.ignoresBody) assertJson(req.is('application/json'));
    if (length > limit) throw new AppError('too_large', 'The request is too large');
    next();
  };
  const rejectDeepJson: RequestHandler = (req, _res, next) => {
    assertShallow(req.body);
    next();
  };
  return [rejectBody, express.json({ limit }), rejectDeepJson];
}

function assertJson(type: string | false | null): void {
  if (!type) throw new AppError('unsupported_media_type', 'The body must be JSON');
}

/**
 * Contracts nest at most eight levels. V8 parses 100,000 levels, but recursive code overflows the stack after a few
 * thousand.
 */
const MAX_LEVELS = 64;

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const listChildren = (value: object): object[] => Object.values(value).filter(isObject);

/** Throws `validation_failed` for too deep nesting. Iterative, so that deep input cannot overflow the stack. */
export function assertShallow(json: unknown): void {
  let level = [json].filter(isObject);
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > MAX_LEVELS) throw nestingError();
    level = level.flatMap(listChildren);
  }
}

function nestingError(): AppError {
  const message = `The request must have at most ${MAX_LEVELS} levels of objects and lists`;
  return new AppError('validation_failed', message, { messages: [message], errors: [{ path: 'body', message }] });
}
