import type { Deps } from './deps.ts';

/**
 * Whether what is known of people is news enough for somebody to be let in, or to stay. While NATS is away nobody is told whom an
 * administrator has shut out: after `DIRECTORY_MAX_AGE_SECONDS` nobody gets a new access token (docs/decisions/0018).
 */
export const isUpToDate = ({ directory, config }: Pick<Deps, 'directory' | 'config'>): boolean =>
  directory.ageMs() <= config.DIRECTORY_MAX_AGE_SECONDS * 1000;
