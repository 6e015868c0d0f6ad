import type { Watcher, Workspace } from './workspace-state.ts';

const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();

/**
 * The requests of a user, by the keys under which browsers cache responses. Each user requests what depends on their
 * access, and one user requests each list with filters. Single resources are those of the beginning.
 */
export function listRequests(workspace: Workspace, watcher: Watcher): string[] {
  const lists: Partial<Record<Watcher, string[]>> = {
    admin: listRequestsOfAdmin(workspace),
    manager: [...listMeetingLists(workspace), ...listDocumentLists()],
    member: listProjectLists(workspace),
    outsider: listUserLists(workspace),
  };
  return [
    ...listOwnRequests(workspace),
    ...listMeetingRequests(workspace),
    ...listDocumentRequests(workspace),
    ...(lists[watcher] ?? []),
  ];
}

function listOwnRequests({ projects: { main, other }, tasks: [task], conversations, message }: Workspace): string[] {
  const [group, , direct] = conversations;
  return [
    '/users/profile',
    '/projects?limit=100&people=6',
    '/projects/my-projects?limit=6&people=6',
    `/projects/${main}`,
    `/projects/${other}`,
    `/tasks/project/${main}?limit=100&sort=priority&status=todo&page=1`,
    '/tasks/my-tasks?limit=10&sort=priority',
    '/tasks/my-tasks?status=todo,in-progress,review&sort=due&limit=100&page=1',
    '/tasks/delegated?status=todo,in-progress,review&sort=due&limit=20&page=1',
    `/tasks/${task?._id}`,
    `/tasks?ids=${task?._id}&limit=1`,
    `/chat/messages/${message}`,
    '/chat/emoji',
    '/chat/conversations?page=1&limit=20&people=6',
    `/chat/conversations?project=${main}&limit=1&people=1`,
    `/chat/conversations/${group?._id}`,
    `/chat/conversations/${direct?._id}`,
    `/chat/conversations/${group?._id}/pins`,
    `/chat/conversations/${group?._id}/participants?page=1&limit=50`,
    '/chat/channels?page=1&limit=20',
    '/notifications?limit=20&page=1',
    '/push/key',
    '/auth/sessions?limit=100',
  ];
}

function listMeetingRequests({ projects: { main }, meetings, begunMeetings: [withProject] }: Workspace): string[] {
  const [single, , occurrence] = meetings;
  const calendar = new URLSearchParams({ from: inDays(-1), to: inDays(30) });
  return [
    '/meetings?timeFilter=upcoming&page=1&limit=10&people=6',
    '/meetings/upcoming?limit=5&people=6&series=once',
    '/meetings/unanswered?limit=10',
    `/meetings/calendar?${calendar}`,
    '/meetings/stats?timezone=UTC',
    '/meetings/rooms?limit=100',
    `/meetings/decisions?limit=20&project=${main}`,
    ...[single, occurrence, withProject].map((id) => `/meetings/${id}`),
    `/meetings/${withProject}/closing`,
  ];
}

function listDocumentRequests({ projects: { main }, documents }: Workspace): string[] {
  const [hidden, shared, , , ofDepartment, ofProject] = documents.map(({ _id }) => _id);
  return [
    '/documents?page=1&limit=48&link=false',
    `/documents/project/${main}?page=1&limit=6&link=false`,
    '/documents/stats',
    '/documents/trash?page=1&limit=100',
    '/documents/shared?limit=10&people=1',
    ...[hidden, shared, ofDepartment, ofProject].map((id) => `/documents/${id}?link=false`),
    `/documents/${shared}/shares`,
    `/documents/${ofProject}/access`,
  ];
}

const listUserLists = ({ users: { member, nora, otto }, departments: { design } }: Workspace) => [
  '/users?limit=100',
  '/users?limit=4&page=2',
  '/users?limit=4&sortBy=role&sortOrder=desc',
  '/users?limit=10&sortBy=department',
  '/users?limit=10&search=an&status=active',
  `/users?limit=10&department=${design}`,
  `/users?limit=100&ids=${member.id},${nora.id}`,
  '/users/project-managers?limit=100',
  '/users/stats/overview',
  `/users/${otto.id}`,
  '/departments?limit=20',
  '/departments?limit=20&search=a',
  '/departments/stats',
  `/departments/${design}`,
];

const listProjectLists = ({ users: { member }, projects: { main }, tasks: [task] }: Workspace) => [
  '/users/profile/preferences',
  '/users/profile/notices',
  '/users/profile/notices/levels',
  '/projects?limit=2&people=6',
  '/projects?limit=2&people=6&page=2',
  '/projects?limit=100&people=6&status=on-hold,completed',
  '/projects?limit=100&people=6&search=anna&priority=low,high',
  '/projects?limit=100&people=6&health=at-risk,none',
  '/projects?limit=100&people=1',
  '/projects/stats',
  `/tasks/project/${main}?limit=3&sort=priority`,
  `/tasks/project/${main}?limit=100&assignedTo=${member.id}`,
  '/tasks?limit=4',
  `/tasks?limit=100&project=${main}&status=review,done`,
  '/tasks/stats',
  `/tasks/stats?projectId=${main}`,
  `/tasks/project/${main}?limit=100&completedFrom=${inDays(-7)}&completedBefore=${inDays(7)}`,
  `/tasks/project/${main}?limit=100&status=todo,in-progress,review&assignedTo=none&due=none`,
  `/tasks?limit=100&assignedTo=${member.id}&dueFrom=${inDays(-7)}&dueBefore=${inDays(7)}`,
  `/tasks/workload?projectId=${main}&today=${inDays(0).slice(0, 10)}`,
  `/tasks/workload?users=${member.id}&today=${inDays(0).slice(0, 10)}`,
  `/projects/${main}/history?from=${inDays(-7)}&timezone=UTC`,
  `/tasks/stats?userId=${member.id}`,
  `/tasks/${task?._id}/comments?limit=50&page=1`,
];

const listMeetingLists = ({ projects: { main }, seriesId }: Workspace) => [
  '/meetings?timeFilter=upcoming&page=1&limit=10&people=6&series=once',
  `/meetings?timeFilter=upcoming&page=1&limit=10&people=6&seriesId=${seriesId}`,
  `/meetings/project/${main}?timeFilter=upcoming&page=1&limit=5&people=6`,
  `/meetings/stats?timezone=UTC&project=${main}`,
  '/meetings/decisions?limit=20',
];

const listDocumentLists = () => [
  '/documents?page=1&limit=48&link=false&visibility=public,team&sortBy=name&sortOrder=asc',
  '/documents?page=1&limit=48&link=false&search=mia',
  '/documents/recent?limit=5&link=false',
];

/** Only administrators receive the changes of all meetings, by which other users become busy. */
function listRequestsOfAdmin({ users: { member, manager }, documents }: Workspace): string[] {
  const people = [member.id, manager.id];
  const from = inDays(1);
  return [
    '/auth/invites?limit=20&page=1',
    '/users/stats/history',
    `/meetings/calendar?${new URLSearchParams({ from: inDays(-1), to: inDays(30), whose: 'all' })}`,
    `/meetings/busy?${JSON.stringify({ people, from, to: inDays(14) })}`,
    `/meetings/free-times?${JSON.stringify({ people, from, durationMinutes: 30 })}`,
    `/documents/${documents[1]?._id}/versions?page=1&limit=100&link=false`,
  ];
}
