import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { SWRConfig } from 'swr';
import { useNotifications } from '#entities/notification/use-notifications.ts';
import { swrConfig } from '#lib/query/swr-config.ts';
import { useRefetch } from '#lib/query/use-refetch.ts';
import { startApi } from '#test/api-server.ts';
import { buildUser } from '#test/build-user.ts';
import { buildProjectNotification, createNotificationServer } from '#test/notification-server.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { useSeeNotifications } from './use-see-notifications.ts';

let stop: () => Promise<void>;
/** Whether each request says that nobody sees the response. */
let unseen: boolean[];
let refetch: ReturnType<typeof useRefetch>;

function Bell() {
  refetch = useRefetch();
  useSeeNotifications();
  return <button type="button">{useNotifications().data?.unreadCount}</button>;
}

beforeEach(async () => {
  unseen = [];
  const { respond } = createNotificationServer([buildProjectNotification(1)]);
  ({ stop } = await startApi((request) => {
    if (request.method === 'GET') unseen.push(request.path.includes('unseen=true'));
    return respond(request);
  }));
  act(() => signInAs(buildUser('m')));
});
afterEach(async () => {
  cleanup();
  jest.restoreAllMocks();
  await stop();
});

async function renderBell(): Promise<void> {
  render(
    <SWRConfig value={swrConfig}>
      <Bell />
    </SWRConfig>,
  );
  await screen.findByText('1');
}

const mockFocus = (hasFocus: boolean) => jest.spyOn(document, 'hasFocus').mockReturnValue(hasFocus);
const mockVisibility = (state: DocumentVisibilityState) =>
  jest.spyOn(document, 'visibilityState', 'get').mockReturnValue(state);
const waitForRequests = (expected: readonly boolean[]) => waitFor(() => expect(unseen).toEqual(expected));

it('notifications that arrive in a hidden page are requested, and seen when the user returns', async () => {
  mockFocus(true);
  await renderBell();
  mockFocus(false);
  mockVisibility('hidden');
  act(() => refetch('/notifications'));
  await waitForRequests([false, true]);
  mockVisibility('visible');
  mockFocus(true);
  window.dispatchEvent(new Event('focus'));
  await waitForRequests([false, true, false]);
});

it('a window in use shows them again after two minutes, also when it is focused again', async () => {
  mockFocus(true);
  await renderBell();
  const now = performance.now();
  const mockNow = jest.spyOn(performance, 'now').mockReturnValue(now + 60_000);
  window.dispatchEvent(new Event('focus'));
  mockNow.mockReturnValue(now + 2 * 60_000 + 1_000);
  window.dispatchEvent(new Event('focus'));
  await waitForRequests([false, false]);
});

it('a window that has focus but is not used does not show them to anyone', async () => {
  mockFocus(true);
  await renderBell();
  const now = performance.now();
  jest.spyOn(performance, 'now').mockReturnValue(now + 10 * 60_000);
  act(() => refetch('/notifications'));
  await waitForRequests([false, true]);
  window.dispatchEvent(new Event('pointermove'));
  act(() => refetch('/notifications'));
  await waitForRequests([false, true, false]);
});
