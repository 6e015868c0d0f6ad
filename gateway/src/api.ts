import type { IncomingMessage, ServerResponse } from 'node:http';
import { createInFlightLimiter, createKeyedSemaphore } from '@atrium/service-kit/process/concurrency';
import type { Cors } from './http/cors.ts';
import { sendError, serverBusy, tooManyRequests } from './http/error-responses.ts';
import { type GatewayRequest, prepareHeaders } from './http/gateway-request.ts';
import type { RateLimiters } from './rate-limiting/rate-limit.ts';
import {
  consumeCredentialAttempt,
  consumeRequest,
  type FindTokenOwner,
  isCredentialAttempt,
  type RateLimitSubject,
  rateLimitSubjectOf,
} from './rate-limiting/rate-limit-subject.ts';
import { hasBody, type RequestBodies } from './upstream/request-bodies.ts';
import type { ForwardedRequest } from './upstream/services.ts';
import { findService, type Upstream, uploadUpstreamOf } from './upstream/upstreams.ts';

type ApiDeps = {
  rateLimiters: RateLimiters;
  bodies: RequestBodies;
  findOwner: FindTokenOwner;
  cors: Cors;
  isOverloaded: () => boolean;
  isUpload: (req: IncomingMessage, path: string) => boolean;
  forward: (upstream: Upstream, request: ForwardedRequest) => void;
  respondLocally: (req: IncomingMessage, res: ServerResponse) => void;
};

/** Limits each rate limit subject to a share of the 1,000 in-flight requests per service. */
const MAX_IN_FLIGHT_PER_USER = 100;
const MAX_IN_FLIGHT_PER_IP = 500;
/** Applies per IP address, because the auth service hashes about 90 passwords per second and queues 200. */
const MAX_CONCURRENT_SIGN_INS = 32;

export function createApi({
  rateLimiters,
  bodies,
  findOwner,
  cors,
  isOverloaded,
  isUpload,
  forward,
  respondLocally,
}: ApiDeps) {
  const inFlight = createInFlightLimiter();
  const signIns = createKeyedSemaphore(MAX_CONCURRENT_SIGN_INS);

  const acquireSlot = (subject: RateLimitSubject, methodAndPath: string, res: ServerResponse): boolean => {
    // Uses separate slots, so that queued sign-ins do not block token refreshes from the same address.
    const key = isCredentialAttempt(methodAndPath) ? `${subject.key} credentials` : subject.key;
    if (!inFlight.acquire(key, subject.isUser ? MAX_IN_FLIGHT_PER_USER : MAX_IN_FLIGHT_PER_IP)) return false;
    res.once('close', () => inFlight.release(key));
    return true;
  };

  const forwardSignIn = async (network: string, service: Upstream, request: ForwardedRequest): Promise<void> => {
    const { res } = request;
    if (signIns.waitingCount(network) >= MAX_IN_FLIGHT_PER_IP) return sendError(res, serverBusy());
    await signIns.run(network, async () => {
      if (res.destroyed) return;
      const responseClosed = new Promise((resolve) => res.once('close', resolve));
      forward(service, request);
      await responseClosed;
    });
  };

  return async (req: IncomingMessage, res: ServerResponse, context: GatewayRequest): Promise<void> => {
    if (cors.handle(req, res)) return;
    if (isOverloaded()) return sendError(res, serverBusy());
    const owner = await findOwner(req.headers.authorization);
    if (owner) context.userId = owner.userId;
    const subject = rateLimitSubjectOf(owner, context.client.address);
    if (res.destroyed) return;
    const methodAndPath = `${req.method} ${context.normalizedPath}`;
    const retryAfterSeconds = consumeRequest(subject, methodAndPath, rateLimiters);
    if (retryAfterSeconds > 0) return sendError(res, tooManyRequests(retryAfterSeconds));
    if (!acquireSlot(subject, methodAndPath, res)) return sendError(res, serverBusy());
    const service = findService(context.normalizedPath);
    if (service && isUpload(req, context.normalizedPath))
      return forward(uploadUpstreamOf(service), { req, res, context });
    if (hasBody(req)) bodies.watch(req, res, subject);
    if (service === undefined) {
      // The search forwards them to services.
      prepareHeaders(req, context);
      return respondLocally(req, res);
    }
    if (!hasBody(req)) return forward(service, { req, res, context });

    const body = await bodies.read(req, res, subject);
    if (!body) return;
    const credentialRetryAfterSeconds = consumeCredentialAttempt(subject, methodAndPath, { body, rateLimiters });
    if (credentialRetryAfterSeconds > 0) return sendError(res, tooManyRequests(credentialRetryAfterSeconds));
    if (isCredentialAttempt(methodAndPath))
      return forwardSignIn(subject.customerNetwork, service, { req, res, context, body });
    forward(service, { req, res, context, body });
  };
}
