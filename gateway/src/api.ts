import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '@atrium/service-kit/app-error';
import { budgetOf } from './client-address.ts';
import type { Cors } from './cors.ts';
import type { Visit } from './entrance.ts';
import type { Budgets } from './rate-limit.ts';
import { refuse, tooMany } from './refuse.ts';
import type { TokenOwner } from './token-owner.ts';
import { type Service, serviceOf } from './upstreams.ts';

export type ApiDeps = {
  budgets: Budgets;
  ownerOf: TokenOwner;
  cors: Cors;
  overloaded: () => boolean;
  /** Passes the request to a service. */
  forward: (service: Service, req: IncomingMessage, res: ServerResponse, visit: Visit) => void;
  /** Answers the few calls that are the gateway's own, and 404. */
  answerHere: (req: IncomingMessage, res: ServerResponse) => void;
};

/** Everything below `/api`, in a fixed order: cross-origin grant, shed, budget, and on to whoever answers. */
export function createApi({ budgets, ownerOf, cors, overloaded, forward, answerHere }: ApiDeps) {
  return async (req: IncomingMessage, res: ServerResponse, visit: Visit): Promise<void> => {
    if (cors.handle(req, res)) return;
    if (overloaded()) return refuse(res, busy());
    const wait = await charge(req, visit, { budgets, ownerOf });
    if (wait > 0) return refuse(res, tooMany(wait));
    const service = serviceOf(visit.path);
    if (service === undefined) answerHere(req, res);
    else forward(service, req, res, visit);
  };
}

const busy = () =>
  new AppError('unavailable', 'The server is busy. Please try again in a moment.', { retryAfterSeconds: 1 });

/** The signed-in pay for themselves, everyone else by address; whoever tries to become somebody pays a stricter price as well. */
async function charge(
  req: IncomingMessage,
  { origin, path }: Visit,
  { budgets, ownerOf }: Pick<ApiDeps, 'budgets' | 'ownerOf'>,
): Promise<number> {
  const owner = await ownerOf(req.headers.authorization);
  const place = budgetOf(origin.address);
  const wait = owner === undefined ? budgets.address.spend(place) : budgets.user.spend(owner);
  if (wait > 0 || req.method !== 'POST') return wait;
  // As the services' routers see it: without regard to case, and with or without a slash at the end.
  const call = path.toLowerCase().replace(/\/+$/, '');
  if (call === '/api/client-errors') return budgets.clientErrors.spend(place);
  return call.startsWith('/api/auth/') && !WITHOUT_SECRETS.has(call) ? budgets.signIn.spend(place) : 0;
}

/** Calls of the auth service that nobody can guess a password or an invitation with. */
const WITHOUT_SECRETS = new Set(['/api/auth/refresh', '/api/auth/logout']);
