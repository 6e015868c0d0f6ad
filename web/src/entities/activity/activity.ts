import type { ResponseOf } from '@atrium/proto-events/endpoint';
import type { ActivityKind, listActivity } from '@atrium/proto-events/http/activity';
import { REFETCH_ONLINE, REFETCH_WHEN_SHOWN } from '#lib/query/swr-config.ts';
import { useRead } from '#lib/query/use-read.ts';
import { dateOfDay } from '#lib/time/day.ts';

export const KIND_LABELS: Readonly<Record<ActivityKind, string>> = {
  security: 'Sign-ins and denials',
  accounts: 'Accounts and sessions',
  users: 'User changes',
};

const ACTION_LABELS: Readonly<Record<string, string>> = {
  'security.sign-in.succeeded': 'Signed in',
  'security.sign-in.failed': 'Sign-in failed',
  'security.password.wrong': 'Wrong current password',
  'security.session.reused': 'Session ended: refresh token used twice',
  'security.access.denied': 'Access denied',
  'security.token.rejected': 'Access token rejected',
  'auth.account.registered': 'Account registered',
  'auth.account.activated': 'Invitation accepted',
  'auth.invitation.created': 'Invitation sent',
  'auth.invitation.revoked': 'Invitation revoked',
  'auth.reset.requested': 'Password reset requested',
  'auth.reset.made': 'Password reset link created',
  'auth.password.changed': 'Password changed',
  'auth.session.revoked': 'Session ended',
  'auth.device.added': 'New device',
  'users.user.updated': 'User updated',
  'users.user.deleted': 'User deleted',
  'users.sessions.ended': 'Sessions ended by an administrator',
  'users.department.created': 'Department created',
  'users.department.updated': 'Department updated',
  'users.department.deleted': 'Department deleted',
};

export const actionLabel = (action: string): string => ACTION_LABELS[action] ?? action;

export function detailsText({ method, route, status, count, changes }: ActivityEntry): string {
  const requestText = method && route ? `${method} ${route}${status ? ` (${status})` : ''}` : undefined;
  const changeTexts = Object.entries(changes ?? {}).map(([name, value]) => `${name}: ${valueText(value)}`);
  const repetitionText = count ? `${count} more within a minute` : undefined;
  return [requestText, ...changeTexts, repetitionText].filter(Boolean).join(' · ');
}

/** A merged entry names an address only if every event it counts came from there. */
export const addressText = ({ address, various = [] }: ActivityEntry): string | undefined =>
  various.includes('address') ? 'Several addresses' : (address ?? undefined);

export function subjectText({ email, various = [] }: ActivityEntry): string | undefined {
  if (various.includes('userId')) return 'Several accounts';
  return various.includes('email') ? 'Several emails' : email;
}

const valueText = (value: unknown): string => (Array.isArray(value) ? value.join(', ') : String(value));

export type ActivityEntry = ResponseOf<typeof listActivity>['data'][number];

export type ActivityFilters = { user: string; kind: string; from: string; to: string; page: string };

const PAGE_SIZE = 25;

/** Repeated here, because importing the contract would pull the schema library into every screen. */
const KINDS: Readonly<Record<ActivityKind, true>> = { security: true, accounts: true, users: true };
const isKind = (kind: string): kind is ActivityKind => Object.hasOwn(KINDS, kind);

/** `to` is inclusive. */
export function useActivity(isAllowed: boolean, { user, kind, from, to, page }: ActivityFilters) {
  const since = midnight(from, 0);
  const until = midnight(to, 1);
  const query = {
    page,
    limit: PAGE_SIZE,
    ...(user && { user }),
    ...(isKind(kind) && { kind }),
    ...(since !== undefined && { from: since }),
    ...(until !== undefined && { to: until }),
  };
  return useRead<typeof listActivity>('GET /activity', isAllowed ? { query } : null, {
    ...REFETCH_ONLINE,
    ...REFETCH_WHEN_SHOWN,
  });
}

function midnight(day: string, daysLater: number): string | undefined {
  const date = dateOfDay(day);
  date?.setDate(date.getDate() + daysLater);
  return date?.toISOString();
}
