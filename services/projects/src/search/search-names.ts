import { findProjectsByNames, findUsersByNames } from '@atrium/service-kit/directory/find-by-names';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { FilterNames } from '@atrium/service-kit/postgres/search-filters';
import type { Deps } from '../deps.ts';

/** The users, projects, and days that the operators of a search name. */
export const searchNames = (
  { directory, projects }: Deps,
  { userId }: Caller,
  timezone: string | undefined,
): FilterNames => ({
  findUsers: (names) => findUsersByNames(directory, names, userId),
  findProjects: (names) => findProjectsByNames(projects, names),
  timeZone: timezone ?? directory.user(userId)?.timezone ?? 'UTC',
});
