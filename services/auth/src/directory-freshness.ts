import type { Deps } from './deps.ts';

/** During a NATS outage no deactivation arrives: after `DIRECTORY_MAX_AGE_SECONDS` no access token is issued (docs/decisions/0018). */
export const isDirectoryFresh = ({ directory, config }: Pick<Deps, 'directory' | 'config'>): boolean =>
  directory.ageMs() <= config.DIRECTORY_MAX_AGE_SECONDS * 1000;

/** Dependency check: the gateway reports that signing in is unavailable. */
export function assertDirectoryFresh(deps: Pick<Deps, 'directory' | 'config'>): void {
  if (!isDirectoryFresh(deps)) throw new Error('User directory is stale');
}
