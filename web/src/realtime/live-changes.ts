import type { Membership } from '@atrium/proto-events/abilities/projects';
import type { Viewer } from '@atrium/proto-events/abilities/viewer';
import { MAX_TAGS, type Tag } from '@atrium/proto-events/change-tags';
import type { Project } from '@atrium/proto-events/http/projects';
import type { Task } from '@atrium/proto-events/http/tasks';
import { insertUsers } from '@atrium/proto-events/insert-people';
import type { User } from '@atrium/proto-events/people';
import type { Changes } from '@atrium/proto-events/realtime';
import { findResponse } from '@atrium/proto-events/responses/responses';
import { isRecord } from '#lib/is-record.ts';
import type { QueryCache } from '#lib/query/query-cache.ts';
import { isoDateIn } from '#lib/time/iso-date.ts';
import { itemsOf } from './items.ts';
import { type PatchContext, patchResponse } from './patch-response.ts';
import { emitUserChanges } from './user-changes.ts';

export const toViewer = ({ _id, role, department, departmentSelfAssigned }: User): Viewer => ({
  userId: _id,
  role,
  // A self-assigned department grants no access.
  departmentId: departmentSelfAssigned ? null : (department?._id ?? null),
});

/** Applies changes to cached responses, and to those in flight. */
export function applyChanges(cache: QueryCache, { changes, people = [] }: Changes, user: User): void {
  const usersById = new Map(people.map((person) => [person._id, person]));
  const wholeChanges = changes.map((change) =>
    change.item ? { ...change, item: insertUsers(change.item, usersById) as object } : change,
  );
  const context = createContext(cache, user);
  cache.edit((key, data) => patchResponse(key, data, wholeChanges, context));
  emitUserChanges(wholeChanges);
}

export function createContext(cache: QueryCache, user: User): PatchContext {
  let memberships: ReadonlyMap<string, Membership> | undefined;
  return {
    viewer: toViewer(user),
    today: isoDateIn(user.timezone),
    membershipIn(projectId) {
      memberships ??= findMemberships(cache);
      return memberships.get(projectId);
    },
  };
}

/**
 * Collects the user's places in projects from cached projects, and from tasks of others. Stale responses may be from before
 * the user has joined or left.
 */
function findMemberships(cache: QueryCache): ReadonlyMap<string, Membership> {
  const fromTasks = new Map<string, Membership>();
  const fromProjects = new Map<string, { version: number; membership: Membership }>();
  for (const [key, { data }] of cache) {
    if (cache.dataAge(key) === Number.POSITIVE_INFINITY) continue;
    const definition = findResponse(key)?.definition;
    const resource = definition && 'resource' in definition ? definition.resource : undefined;
    const items = isRecord(data) && '_id' in data ? [data] : itemsOf(data);
    if (resource === 'task') {
      for (const { project, membership } of items as Task[]) fromTasks.set(project, membership);
    } else if (resource === 'project') {
      for (const { _id, version, membership } of (items as Project[]).filter(hasKnownMembership))
        if (version >= (fromProjects.get(_id)?.version ?? 0)) fromProjects.set(_id, { version, membership });
    }
  }
  return new Map([...fromTasks, ...[...fromProjects].map(([id, { membership }]) => [id, membership] as const)]);
}

/** The item of an event has only the first members of a team, so that it may not show that the user is one. */
const hasKnownMembership = ({ membership, teamMembers, memberCount }: Project) =>
  membership !== null || teamMembers.length >= memberCount;

type SelectedTags = {
  tags: Tag[];
  /** Keys beyond the limit of a socket, whose changes do not arrive. */
  unsubscribed: string[];
};

/** Returns the tags of all keys, up to the limit of a socket; earlier keys take precedence. */
export function selectTags(keys: Iterable<string>, user: User): SelectedTags {
  const viewer = toViewer(user);
  // The profile is always shown.
  const tags = new Set<Tag>([`user:${user._id}`, 'people']);
  const unsubscribed: string[] = [];
  for (const key of keys) {
    const matched = findResponse(key);
    if (!matched || matched.definition.kind === 'static') continue;
    const newTags = matched.definition.tags({ ...matched.request, viewer }).filter((tag) => !tags.has(tag));
    if (tags.size + newTags.length > MAX_TAGS) unsubscribed.push(key);
    else for (const tag of newTags) tags.add(tag);
  }
  return { tags: [...tags].sort(), unsubscribed };
}
