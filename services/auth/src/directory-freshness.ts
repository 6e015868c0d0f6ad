import type { Deps } from './deps.ts';

/**
 * Whether what is known of people is news enough for somebody to be let in, or to stay. While NATS is away nobody is told whom an
 * administrator has shut out: after `DIRECTORY_MAX_AGE_SECONDS` nobody gets a new access token (docs/decisions/0018).
 */
export const isUpToDate = ({ directory, config }: Pick<Deps, 'directory' | 'config'>): boolean =>
  directory.ageMs() <= config.DIRECTORY_MAX_AGE_SECONDS * 1000;

/** For the report of what this process needs: the gateway says by it that nobody can sign in. */
export function requireUpToDate(deps: Pick<Deps, 'directory' | 'config'>): void {
  if (!isUpToDate(deps)) throw new Error('what is known of people is too old');
}
