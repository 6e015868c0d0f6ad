import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { BrowserRouter } from 'react-router-dom';
import { SWRConfig } from 'swr';
import { swrConfig } from '#lib/query/swr-config.ts';
import { setSingleKeys } from '#lib/single-key-shortcuts.ts';
import { startApi } from '#test/api-server.ts';
import { buildUser } from '#test/build-user.ts';
import { dismissToasts } from '#test/dismiss-toasts.ts';
import { buildProjectNotification, createNotificationServer } from '#test/notification-server.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { Toaster } from '#ui/overlays/toaster.tsx';
import { Inbox } from './inbox.tsx';

let stop: () => Promise<void>;
let server: ReturnType<typeof createNotificationServer>;

const dayAgo = (days: number) => new Date(Date.now() - days * 24 * 60 * 60_000).toISOString();

beforeEach(async () => {
  localStorage.clear();
  setSingleKeys(true);
  window.history.replaceState(null, '', '/notifications');
  server = createNotificationServer([
    buildProjectNotification(1, { createdAt: dayAgo(0) }),
    buildProjectNotification(2, { createdAt: dayAgo(1) }),
    buildProjectNotification(3, {
      createdAt: '2020-03-02T12:00:00.000Z',
      notice: { kind: 'mention', reason: 'mentioned', setting: 'channels' },
    }),
  ]);
  ({ stop } = await startApi(server.respond));
  act(() => signInAs(buildUser('m')));
});
afterEach(async () => {
  cleanup();
  dismissToasts();
  await stop();
});

async function show() {
  render(
    <SWRConfig value={swrConfig}>
      <BrowserRouter>
        <Inbox />
        <Toaster />
      </BrowserRouter>
    </SWRConfig>,
  );
  await link(1);
}

const link = (n: number) => screen.findByRole('link', { name: new RegExp(`Project ${n}$`) });
const titles = () =>
  screen
    .queryAllByRole('link', { name: /Project \d/ })
    .map(({ textContent }) => /Project \d/.exec(textContent ?? '')?.[0]);
const isUnread = async (n: number) => (await link(n)).textContent?.includes('Unread') ?? false;
const choose = (name: string) => userEvent.click(screen.getByRole('radio', { name }));
const press = (keys: string) => userEvent.keyboard(keys);

describe('the inbox', () => {
  it('groups notifications by day', async () => {
    await show();
    expect(screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual([
      'Today',
      'Yesterday',
      'Monday, March 2, 2020',
    ]);
  });

  it('shows only unread notifications or mentions, and keeps the choice in the URL', async () => {
    server.notifications = server.notifications.map((item, n) => (n === 0 ? { ...item, readAt: dayAgo(0) } : item));
    await show();
    await choose('Unread');
    await waitFor(() => expect(titles()).toEqual(['Project 2', 'Project 3']));
    await choose('Mentions');
    await waitFor(() => expect(titles()).toEqual(['Project 3']));
    expect(window.location.search).toBe('?filter=mentions');
  });

  it('says that nothing is unread', async () => {
    server.notifications = server.notifications.map((item) => ({ ...item, readAt: dayAgo(0) }));
    await show();
    await choose('Unread');
    await screen.findByText('You’re all caught up');
  });

  it('moves with J and K, marks as read with E, and undoes it', async () => {
    await show();
    await press('jj');
    expect(document.activeElement).toBe(await link(2));
    await press('k');
    expect(document.activeElement).toBe(await link(1));
    await press('kjjjj');
    expect(document.activeElement).toBe(await link(3));
    await press('e');
    await waitFor(async () => expect(await isUnread(3)).toBe(false));
    expect(server.marked).toEqual([{ path: '/notifications/read', body: { ids: ['event 3'] } }]);
    await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));
    await waitFor(async () => expect(await isUnread(3)).toBe(true));
    expect(server.marked.at(-1)).toEqual({ path: '/notifications/unread', body: { ids: ['event 3'] } });
  });

  it('ignores keys without shortcuts on this device', async () => {
    setSingleKeys(false);
    await show();
    await press('je');
    expect([document.activeElement, server.marked]).toEqual([document.body, []]);
  });

  it('marks all as read, and undoes it for those that were unread', async () => {
    server.notifications = server.notifications.map((item, n) => (n === 1 ? { ...item, readAt: dayAgo(0) } : item));
    await show();
    await userEvent.click(screen.getByRole('button', { name: 'Mark all as read' }));
    await screen.findByText('Marked 2 notifications as read');
    await waitFor(async () => expect([await isUnread(1), await isUnread(3)]).toEqual([false, false]));
    await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
    await waitFor(async () =>
      expect([await isUnread(1), await isUnread(2), await isUnread(3)]).toEqual([true, false, true]),
    );
  });

  it('marks a read notification as unread', async () => {
    await show();
    const row = within((await link(1)).closest('li') as HTMLElement);
    await userEvent.click(row.getByRole('button', { name: 'Mark as read' }));
    await waitFor(async () => expect(await isUnread(1)).toBe(false));
    await userEvent.click(row.getByRole('button', { name: 'Mark as unread' }));
    await waitFor(async () => expect(await isUnread(1)).toBe(true));
  });
});

describe('“Why did I get this?”', () => {
  async function explain() {
    await show();
    const row = within((await link(1)).closest('li') as HTMLElement);
    await userEvent.click(row.getByRole('button', { name: 'Why did I get this?' }));
    return within(await screen.findByRole('dialog', { name: 'Why did I get this?' }));
  }

  it('gives the reason, and a link to the setting', async () => {
    const reason = await explain();
    reason.getByText('You’re a member of the project.');
    expect(reason.getByRole('link').getAttribute('href')).toBe('/settings#notifications-project-added');
  });

  it('says when it cannot be turned off', async () => {
    server.notifications = [
      buildProjectNotification(1, { notice: { kind: 'security', reason: 'own_account', setting: null } }),
    ];
    const reason = await explain();
    reason.getByText('You can’t turn this off.');
    expect(reason.queryByRole('link')).toBeNull();
  });
});
