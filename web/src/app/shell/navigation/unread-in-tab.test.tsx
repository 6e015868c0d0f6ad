import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { act, cleanup, render, waitFor } from '@testing-library/react';
import { SWRConfig } from 'swr';
import { swrConfig } from '#lib/query/swr-config.ts';
import { startApi } from '#test/api-server.ts';
import { buildUser } from '#test/build-user.ts';
import { buildProjectNotification, createNotificationServer } from '#test/notification-server.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { UnreadInTab } from './unread-in-tab.tsx';

let stop: () => Promise<void>;
let unreadMessages: number;
let badge: number | undefined;

beforeEach(() => {
  badge = undefined;
  navigator.setAppBadge = async (count = 0) => {
    badge = count;
  };
});
afterEach(async () => {
  cleanup();
  await stop();
});

/** Notifications of projects are newer than those of messages. */
async function show({ projects, messages }: { projects: number; messages: number }) {
  const server = createNotificationServer(
    Array.from({ length: projects + messages }, (_, index) =>
      buildProjectNotification(
        index,
        index < projects
          ? {}
          : { subject: { resource: 'conversation', id: String(index).padStart(24, '0'), title: 'design' } },
      ),
    ),
  );
  const unread = { total: unreadMessages, threads: 0, unread: [] };
  ({ stop } = await startApi((request) =>
    request.path.startsWith('/api/chat/unread') ? { status: 200, body: unread } : server.respond(request),
  ));
  act(() => signInAs(buildUser('m')));
  render(
    <SWRConfig value={swrConfig}>
      <UnreadInTab />
    </SWRConfig>,
  );
}

it.each([
  { messages: 3, projects: 0, unread: 5, title: /^\(5\) /, count: 3 },
  { messages: 40, projects: 30, unread: 45, title: /^\(75\) /, count: 70 },
  // In threads that the user does not follow.
  { messages: 2, projects: 1, unread: 0, title: /^\(3\) /, count: 3 },
])(
  'counts $messages notifications of $unread unread messages, and $projects others, once',
  async ({ unread, title, count, ...notifications }) => {
    unreadMessages = unread;
    await show(notifications);
    await waitFor(() => expect(document.title).toMatch(title));
    expect(badge).toBe(count);
  },
);
