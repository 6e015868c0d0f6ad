import type { IncomingMessage, ServerResponse } from 'node:http';
import { chargeRequest, chargeSecret, type Payer, payerOf, triesSecret } from './budgets/payer.ts';
import type { Budgets } from './budgets/rate-limit.ts';
import { createShares } from './budgets/shares.ts';
import type { TokenOwner } from './budgets/token-owner.ts';
import { createTurns } from './budgets/turns.ts';
import type { Cors } from './http/cors.ts';
import { busy, refuse, tooMany } from './http/refuse.ts';
import type { RequestContext } from './http/request-context.ts';
import { hasBody, type RequestBodies } from './upstream/request-bodies.ts';
import type { Given } from './upstream/services.ts';
import { intakeOf, serviceOf, type Upstream } from './upstream/upstreams.ts';

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
  const inFlight = createShares();
  const signIns = createTurns(SIGN_INS);

  const enter = (payer: Payer, call: string, res: ServerResponse): boolean => {
    // Whoever waits to sign in must not stand in the way of those who renew a session at the same address.
    const key = triesSecret(call) ? `${payer.key} secrets` : payer.key;
    if (!inFlight.take(key, payer.isPerson ? IN_FLIGHT_OF_PERSON : IN_FLIGHT_OF_ADDRESS)) return false;
    res.once('close', () => inFlight.give(key));
    return true;
  };

  return async (req: IncomingMessage, res: ServerResponse, context: RequestContext): Promise<void> => {
    if (cors.handle(req, res)) return;
    if (overloaded()) return refuse(res, busy());
    const owner = await ownerOf(req.headers.authorization);
    if (owner) context.userId = owner.userId;
    const payer = payerOf(owner, context.origin.address);
    if (res.destroyed) return;
    const call = `${req.method} ${context.route}`;
    const wait = chargeRequest(payer, call, budgets);
    if (wait > 0) return refuse(res, tooMany(wait));
    if (!enter(payer, call, res)) return refuse(res, busy());
    const service = serviceOf(context.route);
    if (service && isUpload(req, context.route)) return forward(intakeOf(service), { req, res, context });
    if (hasBody(req)) bodies.watch(req, res, payer);
    if (service === undefined) return answerHere(req, res);
    if (!hasBody(req)) return forward(service, { req, res, context });

    const body = await bodies.read(req, res, payer);
    if (!body) return;
    const waitForSecret = chargeSecret(payer, call, { body, budgets });
    if (waitForSecret > 0) return refuse(res, tooMany(waitForSecret));
    if (triesSecret(call)) {
      const end = await signIns.take(payer.network);
      if (!end) return refuse(res, busy());
      if (res.destroyed) return end();
      res.once('close', end);
    }
    forward(service, { req, res, context, body });
  };
}
