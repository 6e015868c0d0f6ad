import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '@atrium/service-kit/errors/app-error';
import { sendError } from '../http/error-responses.ts';
import type { RateLimitSubject } from '../rate-limiting/rate-limit-subject.ts';

/** Public endpoints need no larger bodies, and anonymous callers must not use more memory. */
const MAX_ANONYMOUS_BODY_BYTES = 64 * 1024;
const MAX_USER_BODY_BYTES = 1024 * 1024;
/** Regular clients send small bodies in one piece. */
const MAX_UNFINISHED_PER_IP = 100;
const MAX_UNFINISHED_PER_USER = 20;

export type RequestBodies = {
  /** Rejects a body that takes too long, and the oldest one if the subject has too many incomplete bodies. */
  watch(req: IncomingMessage, res: ServerResponse, subject: RateLimitSubject): void;
  /** Buffers, so that services do not wait for slow clients. Returns undefined if the request has ended. */
  read(req: IncomingMessage, res: ServerResponse, subject: RateLimitSubject): Promise<Buffer | undefined>;
};

export const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

export function createRequestBodies(timeoutMs: number): RequestBodies {
  const unfinishedByKey = new Map<string, Set<ServerResponse>>();
  return {
    watch(req, res, { key, isUser }) {
      const unfinishedResponses = unfinishedByKey.get(key) ?? new Set();
      unfinishedByKey.set(key, unfinishedResponses.add(res));
      const timer = setTimeout(() => sendError(res, tooSlow()), timeoutMs).unref();
      const stopWatching = () => {
        clearTimeout(timer);
        unfinishedResponses.delete(res);
        if (unfinishedResponses.size === 0 && unfinishedByKey.get(key) === unfinishedResponses)
          unfinishedByKey.delete(key);
      };
      req.once('end', stopWatching);
      res.once('close', stopWatching);
      const [oldest] = unfinishedResponses;
      if (unfinishedResponses.size > (isUser ? MAX_UNFINISHED_PER_USER : MAX_UNFINISHED_PER_IP) && oldest) {
        unfinishedResponses.delete(oldest);
        sendError(oldest, tooSlow());
      }
    },
    async read(req, res, { isUser }) {
      const body = await collect(req, isUser ? MAX_USER_BODY_BYTES : MAX_ANONYMOUS_BODY_BYTES);
      if (body instanceof AppError) sendError(res, body);
      return res.writableEnded || res.destroyed || body instanceof AppError ? undefined : body;
    },
  };
}

const tooSlow = () => new AppError('request_timeout', 'The request took too long to arrive');
const tooLarge = () => new AppError('too_large', 'The request is too large');

function collect(req: IncomingMessage, maxBytes: number): Promise<Buffer | AppError | undefined> {
  const { promise, resolve } = Promise.withResolvers<Buffer | AppError | undefined>();
  if (Number(req.headers['content-length'] ?? 0) > maxBytes) return Promise.resolve(tooLarge());
  const chunks: Buffer[] = [];
  let bytes = 0;
  const collectChunk = (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= maxBytes) chunks.push(chunk);
    else {
      req.off('data', collectChunk);
      resolve(tooLarge());
    }
  };
  req.on('data', collectChunk);
  req.once('end', () => resolve(Buffer.concat(chunks)));
  req.once('close', () => resolve(undefined));
  req.once('error', () => resolve(undefined));
  return promise;
}
