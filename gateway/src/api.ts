import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Cors } from './http/cors.ts';
import { sendError, serverBusy, tooManyRequests } from './http/error-responses.ts';
import type { RequestContext } from './http/request-context.ts';
import { createInFlightLimiter } from './rate-limiting/in-flight-limiter.ts';
import { createKeyedSemaphore } from './rate-limiting/keyed-semaphore.ts';
import type { RateLimiters } from './rate-limiting/rate-limit.ts';
import {
  consumeRequest,
  consumeSecretAttempt,
  type RateLimitSubject,
  rateLimitSubjectOf,
  triesSecret,
} from './rate-limiting/rate-limit-subject.ts';
import type { TokenOwner } from './rate-limiting/token-owner.ts';
import { hasBody, type RequestBodies } from './upstream/request-bodies.ts';
import type { ForwardedRequest } from './upstream/services.ts';
import { serviceOf, type Upstream, uploadUpstreamOf } from './upstream/upstreams.ts';

export type ApiDeps = {
  rateLimiters: RateLimiters;
  bodies: RequestBodies;
  ownerOf: TokenOwner;
  cors: Cors;
  overloaded: () => boolean;
  isUpload: (req: IncomingMessage, route: string) => boolean;
  forward: (to: Upstream, given: ForwardedRequest) => void;
  /** Handles the gateway's own endpoints; responds 404 to everything else. */
  respondLocally: (req: IncomingMessage, res: ServerResponse) => void;
};

/** Per rate limit subject, of the 1,000 in-flight requests per service. */
const MAX_IN_FLIGHT_PER_USER = 100;
const MAX_IN_FLIGHT_PER_IP = 500;
/** Concurrent sign-ins per IP address: the auth service hashes about 90 per second and queues 200. */
const SIGN_IN_CONCURRENCY = { concurrency: 32, maxQueued: MAX_IN_FLIGHT_PER_IP };

/** Handles requests below `/api` in a fixed order: CORS, load shedding, rate limits, body, forwarding. */
export function createApi({
  rateLimiters,
  bodies,
  ownerOf,
  cors,
  overloaded,
  isUpload,
  forward,
  respondLocally,
}: ApiDeps) {
  const inFlight = createInFlightLimiter();
  const signIns = createKeyedSemaphore(SIGN_IN_CONCURRENCY);

  const admit = (subject: RateLimitSubject, call: string, res: ServerResponse): boolean => {
    // Separate slots, so that queued sign-ins do not block token refreshes from the same address.
    const key = triesSecret(call) ? `${subject.key} secrets` : subject.key;
    if (!inFlight.acquire(key, subject.isUser ? MAX_IN_FLIGHT_PER_USER : MAX_IN_FLIGHT_PER_IP)) return false;
    res.once('close', () => inFlight.release(key));
    return true;
  };

  return async (req: IncomingMessage, res: ServerResponse, context: RequestContext): Promise<void> => {
    if (cors.handle(req, res)) return;
    if (overloaded()) return sendError(res, serverBusy());
    const owner = await ownerOf(req.headers.authorization);
    if (owner) context.userId = owner.userId;
    const subject = rateLimitSubjectOf(owner, context.origin.address);
    if (res.destroyed) return;
    const call = `${req.method} ${context.route}`;
    const retryAfter = consumeRequest(subject, call, rateLimiters);
    if (retryAfter > 0) return sendError(res, tooManyRequests(retryAfter));
    if (!admit(subject, call, res)) return sendError(res, serverBusy());
    const service = serviceOf(context.route);
    if (service && isUpload(req, context.route)) return forward(uploadUpstreamOf(service), { req, res, context });
    if (hasBody(req)) bodies.watch(req, res, subject);
    if (service === undefined) return respondLocally(req, res);
    if (!hasBody(req)) return forward(service, { req, res, context });

    const body = await bodies.read(req, res, subject);
    if (!body) return;
    const secretRetryAfter = consumeSecretAttempt(subject, call, { body, rateLimiters });
    if (secretRetryAfter > 0) return sendError(res, tooManyRequests(secretRetryAfter));
    if (triesSecret(call)) {
      const end = await signIns.take(subject.customerNetwork);
      if (!end) return sendError(res, serverBusy());
      if (res.destroyed) return end();
      res.once('close', end);
    }
    forward(service, { req, res, context, body });
  };
}
