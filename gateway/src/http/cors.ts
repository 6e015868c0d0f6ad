import type { IncomingMessage, ServerResponse } from 'node:http';
import { createOriginCheck } from '@atrium/service-kit/http/client-info';

export type Cors = {
  /** Sets the CORS headers. Returns true if it has responded to a preflight request. */
  handle(req: IncomingMessage, res: ServerResponse): boolean;
  /** Accepts the same origin, allowed origins, and non-browser clients. */
  canConnect(req: IncomingMessage): boolean;
};

const PREFLIGHT = [
  ['Access-Control-Allow-Methods', 'GET, HEAD, POST, PUT, PATCH, DELETE'],
  ['Access-Control-Allow-Headers', 'Authorization, Content-Type, Idempotency-Key, X-Request-Id'],
  ['Access-Control-Max-Age', '600'],
] as const;

/** Tokens are sent in a header, never in a cookie, so credentials need not be allowed. */
export function createCors(origins: readonly string[]): Cors {
  const allowedOrigins = new Set(origins);
  return {
    handle(req, res) {
      const { origin } = req.headers;
      if (allowedOrigins.size === 0 || origin === undefined) return false;
      res.setHeader('Vary', 'Origin');
      if (!allowedOrigins.has(origin)) return false;
      res.setHeader('Access-Control-Allow-Origin', origin);
      res.setHeader('Access-Control-Expose-Headers', 'X-Request-Id, Retry-After');
      if (req.method !== 'OPTIONS' || req.headers['access-control-request-method'] === undefined) return false;
      for (const [name, value] of PREFLIGHT) res.setHeader(name, value);
      res.statusCode = 204;
      res.end();
      return true;
    },
    canConnect: createOriginCheck(origins),
  };
}
