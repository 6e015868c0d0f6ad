import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '@atrium/service-kit/http/app-error';
import { sendError } from '../http/refuse.ts';
import type { RateLimitSubject } from '../rate-limiting/rate-limit-subject.ts';

/** No public call needs more, and who is unknown gets no more memory. */
const ANONYMOUS_BYTES = 64 * 1024;
const PERSON_BYTES = 1024 * 1024;
/** Requests that have not arrived whole. Those of an office arrive in one piece; hundreds that do not are somebody's purpose. */
const UNFINISHED_PER_ADDRESS = 100;
const UNFINISHED_PER_PERSON = 20;

export type RequestBodies = {
  /** Bounds how long the body may take, and how many of its payer may be unfinished at once: the oldest goes first. */
  watch(req: IncomingMessage, res: ServerResponse, payer: RateLimitSubject): void;
  /** The whole body, so that no service waits for a slow one; undefined when the request was refused or its sender has gone. */
  read(req: IncomingMessage, res: ServerResponse, payer: RateLimitSubject): Promise<Buffer | undefined>;
};

export const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

export function createRequestBodies(timeoutMs: number): RequestBodies {
  const unfinished = new Map<string, Set<ServerResponse>>();
  return {
    watch(req, res, { key, isPerson }) {
      const ofPayer = unfinished.get(key) ?? new Set();
      unfinished.set(key, ofPayer.add(res));
      const timer = setTimeout(() => sendError(res, tooSlow()), timeoutMs).unref();
      const arrived = () => {
        clearTimeout(timer);
        ofPayer.delete(res);
        if (ofPayer.size === 0 && unfinished.get(key) === ofPayer) unfinished.delete(key);
      };
      req.once('end', arrived);
      res.once('close', arrived);
      const [oldest] = ofPayer;
      if (ofPayer.size > (isPerson ? UNFINISHED_PER_PERSON : UNFINISHED_PER_ADDRESS) && oldest) {
        ofPayer.delete(oldest);
        sendError(oldest, tooSlow());
      }
    },
    async read(req, res, { isPerson }) {
      const body = await collect(req, isPerson ? PERSON_BYTES : ANONYMOUS_BYTES);
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
  const take = (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= maxBytes) chunks.push(chunk);
    else {
      req.off('data', take);
      resolve(tooLarge());
    }
  };
  req.on('data', take);
  req.once('end', () => resolve(Buffer.concat(chunks)));
  req.once('close', () => resolve(undefined));
  req.once('error', () => resolve(undefined));
  return promise;
}
