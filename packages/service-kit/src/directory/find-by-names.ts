import type { DirectoryUser } from '@atrium/proto-events/people';
import type { DirectoryProject } from '@atrium/proto-events/project-directory';
import { searchNeedles, toSearchText } from '@atrium/proto-events/text/search';
import type { FilterNames } from '../postgres/search-filters.ts';
import type { Directory } from './directory.ts';
import type { ProjectDirectory } from './project-directory.ts';

const ID = /^[0-9a-f]{24}$/;
/** Each is a condition of its own. */
const MAX_MATCHES = 100;
const MAX_MATCHES_OF_NAME = 20;
/** Further ones are ignored. */
const MAX_NAMES = 10;

type Directories = { directory: Pick<Directory, 'user' | 'users'>; projects: Pick<ProjectDirectory, 'projects'> };
type Searcher = { userId: string; timezone: string | undefined };

/** Finds the users, projects, and days that the operators of a search name. By default, days are those of the user. */
export const createFilterNames = (
  { directory, projects }: Directories,
  { userId, timezone }: Searcher,
): FilterNames => ({
  findUsers: (names) => findUsersByNames(directory, names, userId),
  findProjects: (names) => findProjectsByNames(projects, names),
  timeZone: timezone ?? directory.user(userId)?.timezone ?? 'UTC',
});

/** Returns the users whose names have words that begin with those of a name, or the one with the id, or the caller (`me`). */
export function findUsersByNames(
  directory: Pick<Directory, 'users'>,
  values: readonly string[],
  callerId: string,
): string[] {
  const isMe = (value: string) => value.toLowerCase() === 'me';
  return [
    ...values.filter(isMe).map(() => callerId),
    ...findByNames(
      directory.users(),
      values.filter((value) => !isMe(value)),
      toSearchableName,
    ),
  ];
}

/** Returns the projects whose names have words that begin with those of a name, or the one with the id. */
export const findProjectsByNames = (
  projects: Pick<ProjectDirectory, 'projects'>,
  values: readonly string[],
): string[] => findByNames(projects.projects(), values, toSearchableProject);

type Named = { _id: string; deleted: boolean };

/** Reads the items once. Returns at most `MAX_MATCHES_OF_NAME` of each name. */
function findByNames<Item extends Named>(
  items: Iterable<Item>,
  values: readonly string[],
  toName: (item: Item) => string,
): string[] {
  const limit = Math.max(1, Math.min(MAX_MATCHES_OF_NAME, Math.floor(MAX_MATCHES / values.length)));
  const names = new Set(values.filter((value) => !ID.test(value)).slice(0, MAX_NAMES));
  let pending = [...names].flatMap((name) => {
    const needles = searchNeedles(name).map((needle) => (needle.startsWith(' ') ? needle : ` ${needle}`));
    return needles.length === 0 ? [] : [{ needles, ids: [] as string[] }];
  });
  const searches = pending;
  for (const item of items) {
    if (pending.length === 0) break;
    if (item.deleted) continue;
    const name = toName(item);
    for (const { needles, ids } of pending) if (needles.every((needle) => name.includes(needle))) ids.push(item._id);
    pending = pending.filter(({ ids }) => ids.length < limit);
  }
  return [...values.filter((value) => ID.test(value)), ...searches.flatMap(({ ids }) => ids)];
}

/** Folding the names of a hundred thousand users takes a second. */
const foldedNames = new WeakMap<object, string>();

function fold(item: object, name: string): string {
  const folded = foldedNames.get(item) ?? toSearchText(name);
  foldedNames.set(item, folded);
  return folded;
}

/** Returns the folded words of the name of a user, each after a space. */
export const toSearchableName = (user: DirectoryUser): string => fold(user, `${user.firstName} ${user.lastName}`);

const toSearchableProject = (project: DirectoryProject): string => fold(project, project.name);
