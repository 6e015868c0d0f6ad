import { type RetentionRule, SMALL_BATCH } from '@atrium/service-kit/postgres/housekeeping';
import type { Config } from './config.ts';

/**
 * Expired reset links are kept for a while, so that they are reported as expired, not as invalid. Pending invitations
 * stay until revoked, which frees their email. A device is recorded at sign-in and may be used as long as its session,
 * so half a year counts from there; devices that signed in only once, as scripts do, are deleted sooner.
 */
export const retentionRules = ({ SESSION_MAX_DAYS }: Pick<Config, 'SESSION_MAX_DAYS'>): readonly RetentionRule[] => [
  ['sessions', 'expires_at < now()', SMALL_BATCH],
  ['ended_sessions', `ended_at < now() - interval '30 days'`],
  ['known_devices', `last_used_at < now() - interval '${SESSION_MAX_DAYS + 180} days'`],
  ['known_devices', `scripted and last_used_at = first_used_at and last_used_at < now() - interval '8 days'`],
  ['invitations', `accepted_at < now() - interval '90 days'`],
  ['password_resets', `expires_at < now() - interval '30 days'`],
  ['reset_requests', `created_at < now() - interval '1 hour'`],
  ['login_failures', `last_at < now() - interval '1 hour'`],
  ['signing_keys', `created_at < now() - interval '92 days' or retires_at < now()`],
];
