import { hash } from 'node:crypto';
import { MAX_PASTED_EMAIL } from '@atrium/proto-events/fields';
import { readEmailAddress } from '@atrium/proto-events/text/email';
import { addressBlock } from '@atrium/service-kit/http/ip-address';
import type { Budgets } from './rate-limit.ts';
import type { Owner } from './token-owner.ts';

/** Whom a request is charged to: the person who signed its token, else everybody at its address. */
export type RateLimitSubject = {
  key: string;
  isPerson: boolean;
  /** The address, or the IPv6 /64 that it is of. */
  place: string;
  /** The address, or the IPv6 /56 that a provider gives one customer. */
  network: string;
};

/** An old token that was stolen may be shown for ever, so what it spends is not its owner's present budget. */
export function rateLimitSubjectOf(owner: Owner | undefined, address: string): RateLimitSubject {
  const place = addressBlock(address);
  const network = addressBlock(address, 56);
  if (owner === undefined) return { key: place, isPerson: false, place, network };
  return { key: owner.expired ? `${owner.userId} expired` : owner.userId, isPerson: true, place, network };
}

/** Charges a request before its body is read; answers the seconds to wait, 0 when it may go on. */
export function consumeRequest(payer: RateLimitSubject, call: string, budgets: Budgets): number {
  const wait = payer.isPerson ? budgets.user.spend(payer.key) : budgets.address.spend(payer.place);
  if (wait > 0) return wait;
  // Many people's programs ask from one address, such as Google's: each feed has a budget of its own. Written otherwise, as no program does
  // it, all share one.
  if (OF_FEED.test(call)) return budgets.feed.spend(call.includes('%') ? 'encoded' : digest(call));
  return call === 'POST /api/client-errors' ? budgets.clientErrors.spend(payer.key) : 0;
}

const OF_FEED = /^(?:GET|HEAD) \/api\/meetings\/feed\/[^/]+$/;
const REFRESH = 'POST /api/auth/refresh';
/** Calls of the auth service that nobody can guess a password or a link with: they need a token of their own. */
const WITHOUT_SECRETS =
  /^POST \/api\/auth\/(?:logout|sign-out-everywhere|invite|invites\/check|invites\/[^/]+\/resend)$/;

/** Whether the call costs the auth service a password hash or the look-up of a secret. */
export const triesSecret = (call: string) =>
  call.startsWith('POST /api/auth/') && call !== REFRESH && !WITHOUT_SECRETS.test(call);

/**
 * Charges what somebody tries to become: a refresh to its token, a sign-in to its account at this address, a link to its token.
 * Neighbours at one address do not spend from each other here, and neither does an attacker elsewhere from the owner.
 */
export function consumeSecretAttempt(
  payer: RateLimitSubject,
  call: string,
  { body, budgets }: { body: Buffer; budgets: Budgets },
): number {
  if (call === REFRESH) {
    const { refreshToken } = readTexts(body);
    return refreshToken === undefined ? 0 : budgets.refresh.spend(digest(refreshToken));
  }
  if (!triesSecret(call)) return 0;
  const { email, token, device = '' } = readTexts(body);
  // A device has a budget of its own, or a neighbour could spend its owner's. Who invents devices is held by the auth service's own count.
  if (email !== undefined) return budgets.signIn.spend(digest(`${accountOf(email)} ${payer.place} ${device}`));
  if (token !== undefined) return budgets.signIn.spend(digest(token));
  return budgets.signIn.spend(payer.key);
}

/** The account that auth looks for: however its address is written, its attempts are counted together. */
const accountOf = (email: string) => readEmailAddress(email.slice(0, MAX_PASTED_EMAIL)) ?? email.trim().toLowerCase();

const digest = (text: string) => hash('sha256', text, 'base64url');

/** The texts at the top of a JSON body; none of what is not one. */
function readTexts(body: Buffer): Record<string, string | undefined> {
  try {
    const parsed: unknown = JSON.parse(body.toString());
    if (typeof parsed !== 'object' || parsed === null) return {};
    return Object.fromEntries(Object.entries(parsed).filter(([, value]) => typeof value === 'string'));
  } catch {
    return {};
  }
}
