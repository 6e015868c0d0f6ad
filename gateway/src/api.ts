import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Cors } from './http/cors.ts';
import { sendError, serverBusy, tooManyRequests } from './http/refuse.ts';
import type { RequestContext } from './http/request-context.ts';
import { createInFlightLimiter } from './rate-limiting/in-flight-limiter.ts';
import { createKeyedSemaphore } from './rate-limiting/keyed-semaphore.ts';
import type { Budgets } from './rate-limiting/rate-limit.ts';
import {
  consumeRequest,
  consumeSecretAttempt,
  type RateLimitSubject,
  rateLimitSubjectOf,
  triesSecret,
} from './rate-limiting/rate-limit-subject.ts';
import type { TokenOwner } from './rate-limiting/token-owner.ts';
import { hasBody, type RequestBodies } from './upstream/request-bodies.ts';
import type { Given } from './upstream/services.ts';
import { serviceOf, type Upstream, uploadUpstreamOf } from './upstream/upstreams.ts';

export type ApiDeps = {
  budgets: Budgets;
  bodies: RequestBodies;
  ownerOf: TokenOwner;
  cors: Cors;
  overloaded: () => boolean;
  /** Whether the request's body is files. */
  isUpload: (req: IncomingMessage, route: string) => boolean;
  /** Passes the request to a service. */
  forward: (to: Upstream, given: Given) => void;
  /** Answers the few calls that are the gateway's own, and 404. */
  answerHere: (req: IncomingMessage, res: ServerResponse) => void;
};

/** What one payer may have under way, of the 1,000 that a service is given at a time. */
const IN_FLIGHT_OF_PERSON = 100;
const IN_FLIGHT_OF_ADDRESS = 500;
/** Sign-ins of one address that may be with the auth service at once: it hashes some 90 a second and lets 200 wait. */
const SIGN_INS = { atOnce: 32, waiting: IN_FLIGHT_OF_ADDRESS };

/** Everything below `/api`, in a fixed order: cross-origin grant, shed, budget, body, and on to whoever answers. */
export function createApi({ budgets, bodies, ownerOf, cors, overloaded, isUpload, forward, answerHere }: ApiDeps) {
  const inFlight = createInFlightLimiter();
  const signIns = createKeyedSemaphore(SIGN_INS);

  const enter = (payer: RateLimitSubject, call: string, res: ServerResponse): boolean => {
    // Whoever waits to sign in must not stand in the way of those who renew a session at the same address.
    const key = triesSecret(call) ? `${payer.key} secrets` : payer.key;
    if (!inFlight.take(key, payer.isPerson ? IN_FLIGHT_OF_PERSON : IN_FLIGHT_OF_ADDRESS)) return false;
    res.once('close', () => inFlight.give(key));
    return true;
  };

  return async (req: IncomingMessage, res: ServerResponse, context: RequestContext): Promise<void> => {
    if (cors.handle(req, res)) return;
    if (overloaded()) return sendError(res, serverBusy());
    const owner = await ownerOf(req.headers.authorization);
    if (owner) context.userId = owner.userId;
    const payer = rateLimitSubjectOf(owner, context.origin.address);
    if (res.destroyed) return;
    const call = `${req.method} ${context.route}`;
    const wait = consumeRequest(payer, call, budgets);
    if (wait > 0) return sendError(res, tooManyRequests(wait));
    if (!enter(payer, call, res)) return sendError(res, serverBusy());
    const service = serviceOf(context.route);
    if (service && isUpload(req, context.route)) return forward(uploadUpstreamOf(service), { req, res, context });
    if (hasBody(req)) bodies.watch(req, res, payer);
    if (service === undefined) return answerHere(req, res);
    if (!hasBody(req)) return forward(service, { req, res, context });

    const body = await bodies.read(req, res, payer);
    if (!body) return;
    const waitForSecret = consumeSecretAttempt(payer, call, { body, budgets });
    if (waitForSecret > 0) return sendError(res, tooManyRequests(waitForSecret));
    if (triesSecret(call)) {
      const end = await signIns.take(payer.network);
      if (!end) return sendError(res, serverBusy());
      if (res.destroyed) return end();
      res.once('close', end);
    }
    forward(service, { req, res, context, body });
  };
}
