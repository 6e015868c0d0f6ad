import { FEW, type RetentionRule } from '@atrium/service-kit/postgres/housekeeping';
import type { Config } from './config.ts';

/**
 * An old link to a new password is kept for a while, so that it is answered "expired" rather than "invalid". An invitation that
 * nobody accepted stays until it is taken back: it is how its address becomes free. A device is noted when it signs in, and may be in
 * use for as long as the session that begins with it: half a year is from then. A script that signs in anew each time leaves a device each
 * time, which nobody uses again; one that runs weekly and keeps its device is recognized.
 */
export const outdated = ({ SESSION_MAX_DAYS }: Pick<Config, 'SESSION_MAX_DAYS'>): readonly RetentionRule[] => [
  ['sessions', 'expires_at < now()', FEW],
  ['ended_sessions', `ended_at < now() - interval '30 days'`],
  ['known_devices', `last_used_at < now() - interval '${SESSION_MAX_DAYS + 180} days'`],
  ['known_devices', `scripted and last_used_at = first_used_at and last_used_at < now() - interval '8 days'`],
  ['invitations', `accepted_at < now() - interval '90 days'`],
  ['password_resets', `expires_at < now() - interval '30 days'`],
  ['reset_requests', `created_at < now() - interval '1 hour'`],
  ['login_failures', `last_at < now() - interval '1 hour'`],
  ['signing_keys', `created_at < now() - interval '92 days' or retires_at < now()`],
];
