import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter, useLocation } from 'react-router-dom';
import { SWRConfig } from 'swr';
import type { Notification } from '#entities/notification/use-notifications.ts';
import { swrConfig } from '#lib/query/swr-config.ts';
import { startApi } from '#test/api-server.ts';
import { buildNotification } from '#test/build-notification.ts';
import { buildUser } from '#test/build-user.ts';
import { buildProjectNotification, createNotificationServer } from '#test/notification-server.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { Toaster } from '#ui/overlays/toaster.tsx';
import { NotificationBell, NotificationEffects } from './notification-bell.tsx';

let stop: () => Promise<void>;
let server: ReturnType<typeof createNotificationServer>;

beforeEach(async () => {
  localStorage.clear();
  server = createNotificationServer([
    buildProjectNotification(1),
    buildProjectNotification(2),
    buildProjectNotification(3, { readAt: '2026-01-02T00:00:00.000Z' }),
  ]);
  ({ stop } = await startApi(server.respond));
  act(() => signInAs(buildUser('m')));
});
afterEach(async () => {
  cleanup();
  await stop();
});

const Pathname = () => <output>{useLocation().pathname}</output>;

function show() {
  render(
    <SWRConfig value={swrConfig}>
      <MemoryRouter>
        <NotificationBell placement="bottom end" />
        <NotificationEffects />
        <Pathname />
        <Toaster />
      </MemoryRouter>
    </SWRConfig>,
  );
}

const bell = (name: string) => screen.findByRole('button', { name });
const panel = async () => within(await screen.findByRole('dialog', { name: 'Notifications' }));
const rows = (list: Awaited<ReturnType<typeof panel>>) =>
  list.getAllByRole('link', { name: /Project/ }).map(({ textContent }) => textContent);

async function open(name: string) {
  show();
  await userEvent.click(await bell(name));
  return panel();
}

describe('the notification bell', () => {
  it('counts unread notifications, and lists all with their state', async () => {
    const list = await open('Notifications, 2 unread');
    await list.findByText('Project 3');
    const text = (n: number) => expect.stringContaining(`Ada Admin added you to the project Project ${n}`);
    expect(rows(list)).toEqual([text(1), text(2), text(3)]);
    expect(rows(list).map((text) => text?.includes('Unread'))).toEqual([true, true, false]);
  });

  it('opens the subject of a notification, closes, and marks it as read', async () => {
    const list = await open('Notifications, 2 unread');
    await userEvent.click(await list.findByRole('link', { name: /Project 2/ }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(screen.getByText(`/progress/${'7'.repeat(24)}`)).toBeTruthy();
    await bell('Notifications, 1 unread');
    expect(server.marked).toEqual([{ path: '/notifications/read', body: { ids: ['event 2'] } }]);
    // A read notification is not marked again.
    await userEvent.click(await bell('Notifications, 1 unread'));
    await userEvent.click(await (await panel()).findByRole('link', { name: /Project 3/ }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(server.marked.filter(({ body }) => Object.hasOwn(Object(body), 'ids'))).toHaveLength(1);
  });

  it('marks all as read, up to the newest one shown', async () => {
    const list = await open('Notifications, 2 unread');
    const button = await list.findByRole('button', { name: 'Mark all as read' });
    await userEvent.click(button);
    await waitFor(() => expect(rows(list).some((text) => text?.includes('Unread'))).toBe(false));
    expect(server.marked).toEqual([
      { path: '/notifications/read', body: { before: buildProjectNotification(1).createdAt } },
    ]);
    expect(button.getAttribute('aria-disabled')).toBe('true');
  });

  it('shows more notifications', async () => {
    server.notifications = Array.from({ length: 25 }, (_, n) => buildProjectNotification(n));
    const list = await open('Notifications, 25 unread');
    await waitFor(() => expect(list.getAllByRole('link', { name: /Project/ })).toHaveLength(20));
    await userEvent.click(list.getByRole('button', { name: 'Show more' }));
    await waitFor(() => expect(list.getAllByRole('link', { name: /Project/ })).toHaveLength(25));
    expect(list.queryByRole('button', { name: 'Show more' })).toBeNull();
  });

  it('shows an empty list, and a failure to load with a retry', async () => {
    server.notifications = [];
    await (await open('Notifications')).findByText('No notifications yet');
    cleanup();
    server.isUnavailable = true;
    const list = await open('Notifications');
    await list.findByText('Failed to load notifications');
    server.isUnavailable = false;
    server.notifications = [buildProjectNotification(1)];
    await userEvent.click(list.getByRole('button', { name: 'Retry' }));
    await list.findByText('Project 1');
  });
});

describe('a meeting reminder', () => {
  const buildReminder = (overrides: Partial<Notification> = {}) =>
    buildNotification({
      kind: 'meetings.meeting.due',
      actor: null,
      startsAt: new Date(Date.now() + 300_000).toISOString(),
      ...overrides,
    });
  const text = () => screen.queryByText(/^Weekly planning start/);

  it('is shown until dismissed, which marks it as read in every tab and on every device', async () => {
    server.notifications = [buildReminder()];
    show();
    await waitFor(() => expect(text()).not.toBeNull());
    cleanup();
    // A tab opened later shows it as well.
    show();
    await waitFor(() => expect(text()).not.toBeNull());
    await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
    expect(text()).toBeNull();
    await waitFor(() =>
      expect(server.marked).toEqual([{ path: '/notifications/read', body: { ids: [buildReminder()._id] } }]),
    );
    expect(text()).toBeNull();
  });

  it('is withdrawn when it is read in the list', async () => {
    server.notifications = [buildReminder(), buildProjectNotification(1, { readAt: '2026-01-02T00:00:00.000Z' })];
    show();
    await waitFor(() => expect(text()).not.toBeNull());
    await userEvent.click(await bell('Notifications, 1 unread'));
    await userEvent.click(await (await panel()).findByRole('button', { name: 'Mark all as read' }));
    await waitFor(() => expect(text()).toBeNull());
  });
});
