import type { LoadWorkspace, VirtualUser } from './virtual-users.ts';

/** The app shell shows the unread count on every screen. */
export const UNREAD = '/chat/unread';
export const CONVERSATIONS = '/chat/conversations?limit=100&people=6';
const STATUSES = ['todo', 'in-progress', 'review', 'done'];

const MESSAGES = '/chat/messages?conversation=';
/** Returns whether a key is of a message log, which is synced by separate requests. */
export const isMessagesKey = (key: string) => key.startsWith(MESSAGES);

export type ScreenName = 'dashboard' | 'tracker' | 'board' | 'chat';
export type Screen = { name: ScreenName; keys: string[]; open?: string };

/** The query keys of each screen. */
export const screens = {
  dashboard: (): Screen => ({
    name: 'dashboard',
    keys: [UNREAD, '/projects?limit=6', '/projects/stats', '/users/stats/overview', '/meetings/upcoming?limit=5'],
  }),
  tracker: (): Screen => ({
    name: 'tracker',
    keys: [UNREAD, '/projects?limit=100&page=1&pages=1', '/projects/stats'],
  }),
  board: (project: string): Screen => ({
    name: 'board',
    keys: [
      UNREAD,
      `/projects/${project}`,
      ...STATUSES.map((status) => `/tasks/project/${project}?limit=100&page=1&sort=priority&status=${status}&pages=1`),
      // The project page also shows the conversation, the next meeting, and the documents.
      `/chat/conversations?project=${project}&limit=1&people=1`,
      `/meetings/project/${project}?timeFilter=upcoming&limit=1`,
      `/documents/project/${project}?limit=1`,
    ],
  }),
  chat: (open: string): Screen => ({ name: 'chat', keys: [UNREAD, CONVERSATIONS, MESSAGES + open], open }),
};

const PER_CHANNEL = 25;

export type ScreenAssignment = { user: VirtualUser; screen: Screen };

/**
 * Assigns a quarter of the browsers each to the dashboard, the tracker, a board (of the projects in turn), and Team
 * Chat, where 25 users share a channel.
 */
export async function assignScreens(workspace: LoadWorkspace, browsers: number): Promise<ScreenAssignment[]> {
  const users = Array.from(
    { length: browsers },
    (_, index) => workspace.members[index % workspace.members.length] as VirtualUser,
  );
  const chatBrowsers = users.filter((_, index) => index % 4 === 3);
  const channels: string[] = [];
  for (let from = 0; from < chatBrowsers.length; from += PER_CHANNEL)
    channels.push(await workspace.createChannel(chatBrowsers.slice(from, from + PER_CHANNEL)));
  const screenOf = (index: number): Screen => {
    const quarter = Math.floor(index / 4);
    if (index % 4 === 0) return screens.dashboard();
    if (index % 4 === 1) return screens.tracker();
    if (index % 4 === 2) return screens.board(workspace.projects[quarter % workspace.projects.length] ?? '');
    return screens.chat(channels[Math.floor(quarter / PER_CHANNEL)] ?? '');
  };
  return users.map((user, index) => ({ user, screen: screenOf(index) }));
}
