import { bodyLimitOf, type Endpoint } from '@atrium/proto-events/endpoint';
import express, { type RequestHandler } from 'express';
import { AppError } from './app-error.ts';

/** Reads the JSON body of a call, up to the limit of its contract; one that says that it is larger is not read at all. */
export function jsonBody(endpoint: Endpoint): RequestHandler[] {
  const limit = bodyLimitOf(endpoint);
  const refuse: RequestHandler = (req, _res, next) => {
    const length = Number(req.headers['content-length'] ?? 0);
    if (length > 0 || req.headers['transfer-encoding'] !== undefined) requireJson(req.is('application/json'));
    if (length > limit) throw new AppError('too_large', 'The request is too large');
    next();
  };
  return [refuse, express.json({ limit })];
}

function requireJson(type: string | false | null): void {
  if (!type) throw new AppError('unsupported_media_type', 'The body must be JSON');
}
