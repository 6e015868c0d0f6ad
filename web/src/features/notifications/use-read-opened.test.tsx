import { afterEach, expect, it } from '@jest/globals';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { SWRConfig } from 'swr';
import { swrConfig } from '#lib/query/swr-config.ts';
import { startApi } from '#test/api-server.ts';
import { buildUser } from '#test/build-user.ts';
import { buildProjectNotification, createNotificationServer } from '#test/notification-server.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { UnreadNotifications } from './unread-notifications.tsx';
import { listOpened } from './use-read-opened.ts';

const [PROJECT, TASK] = ['7'.repeat(24), '8'.repeat(24)] as const;

let stop: (() => Promise<void>) | undefined;
afterEach(async () => {
  cleanup();
  await stop?.();
});

it.each([
  [`/progress/${PROJECT}`, '', [PROJECT]],
  [`/progress/${PROJECT}`, `?task=${TASK}`, [PROJECT, TASK]],
  ['/progress', `?page=2&search=${'x'.repeat(24)}`, []],
  ['/meetings', `?meeting=${TASK}`, [TASK]],
  // Conversations have read positions instead.
  ['/chat', `?c=${PROJECT}&thread=${TASK}`, [TASK]],
])('the items that %s%s opens are %j', (pathname, search, expected) => {
  expect(listOpened(pathname, search)).toEqual(expected);
});

it('notifications about what is opened are marked as read, and no others', async () => {
  const other = buildProjectNotification(2, { subject: { resource: 'task', id: TASK, title: 'Task' } });
  const server = createNotificationServer([buildProjectNotification(1), other]);
  ({ stop } = await startApi(server.respond));
  act(() => signInAs(buildUser('m')));
  render(
    <SWRConfig value={swrConfig}>
      <MemoryRouter initialEntries={[`/progress/${PROJECT}`]}>
        <button type="button">Focus</button>
        <UnreadNotifications />
      </MemoryRouter>
    </SWRConfig>,
  );
  // A window that nobody looks at reads nothing.
  screen.getByRole('button').focus();
  await waitFor(() => {
    window.dispatchEvent(new Event('focus'));
    expect(server.marked).toContainEqual({ path: '/notifications/read', body: { about: PROJECT } });
  });
  await waitFor(() => expect(server.notifications.map(({ readAt }) => readAt === null)).toEqual([false, true]));
});
