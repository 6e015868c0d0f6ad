import type { Document } from '@atrium/proto-events/http/documents';
import type { Meeting } from '@atrium/proto-events/http/meetings/meeting-fields';
import type { Project } from '@atrium/proto-events/http/projects';
import type { Task } from '@atrium/proto-events/http/tasks';
import type { User } from '@atrium/proto-events/people';
import type { Department } from '@atrium/web/entities/department/use-departments';
import type { QueryCache } from '@atrium/web/lib/query/query-cache';
import { itemsOf } from '@atrium/web/realtime/items';

export type ShownItems = ReturnType<typeof createShownItems>;

/** The items that the screens of a browser show, each once. Projects of `permanent` stay, and users keep their roles. */
export function createShownItems(cache: QueryCache, permanent: readonly string[]) {
  const list = <T extends { _id: string }>(path: RegExp): T[] => {
    const shown = [...cache].filter(([key, { data }]) => path.test(key) && data !== undefined);
    // Items of the same path have the same type.
    const items = shown.flatMap(([, { data }]) => itemsOf(data) as unknown as T[]);
    const byId = new Map(items.map((item) => [item._id, item]));
    return [...byId.values()].sort((a, b) => a._id.localeCompare(b._id));
  };
  return {
    tasks: () => list<Task>(/^\/tasks(\/project\/\w+|\/my-tasks|\/delegated)?\?/),
    projects: () => list<Project>(/^\/projects(\/my-projects)?\?/),
    users: () => list<User>(/^\/users\?/).filter(({ status }) => status === 'active'),
    departments: () => list<Department>(/^\/departments\?/),
    meetings: () => list<Meeting>(/^\/meetings(\/upcoming)?\?/).filter(({ isPast }) => !isPast),
    documents: () => list<Document>(/^\/documents(\/recent)?\?/),
    isPermanent: ({ _id }: { _id: string }) => permanent.includes(_id),
  };
}
