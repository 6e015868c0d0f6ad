import { DEFAULT_CHANNELS, DEFAULT_NOTICE_SETTINGS } from '@atrium/proto-events/notices/kinds';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router-dom';
import { startApi } from '#test/api-server.ts';
import { buildUser } from '#test/build-user.ts';
import { dismissToasts } from '#test/dismiss-toasts.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { withQueryCache } from '#test/with-query-cache.tsx';
import { NoticeSettings } from './notice-settings.tsx';

let stored: Record<string, unknown> & { channels: object; version: number };
let sent: Record<string, unknown>[];
let stop: () => Promise<void>;

beforeEach(async () => {
  localStorage.clear();
  stored = { ...DEFAULT_NOTICE_SETTINGS, channels: DEFAULT_CHANNELS, version: 3 };
  sent = [];
  ({ stop } = await startApi(({ method, body }) => {
    if (method === 'PATCH') {
      const { version: _version, channels, ...changed } = body as Record<string, unknown>;
      sent.push(body as Record<string, unknown>);
      const merged = { ...stored.channels, ...(channels as object | undefined) };
      stored = { ...stored, ...changed, channels: merged, version: stored.version + 1 };
    }
    return { status: 200, body: stored };
  }));
  act(() => signInAs(buildUser('a')));
});

afterEach(async () => {
  cleanup();
  dismissToasts();
  localStorage.clear();
  await stop();
});

const open = async () => {
  render(
    <MemoryRouter>
      <NoticeSettings />
    </MemoryRouter>,
    withQueryCache,
  );
  await screen.findByRole('region', { name: 'Tasks' });
};
const press = (name: string | RegExp) => userEvent.click(screen.getByRole('button', { name }));
const save = async () => {
  await press('Save Notifications');
  await waitFor(() => expect(sent.length).toBe(1));
};
const choose = async (label: RegExp, option: string) => {
  await press(label);
  await userEvent.click(await screen.findByRole('option', { name: option }));
  await waitFor(() => expect(screen.getByRole('button', { name: label }).textContent).toContain(option));
};

describe('notification settings', () => {
  it('save channels with the version, and keep the choices for pushes', async () => {
    await open();
    await userEvent.click(screen.getByRole('checkbox', { name: 'In Atrium: Tasks assigned to you' }));
    await choose(/Email: Meeting reminders/, 'In a digest');
    await save();
    expect(sent).toMatchObject([
      {
        version: 3,
        channels: {
          task_assigned: { app: false, push: true, email: 'immediate' },
          meeting_reminder: { app: true, push: true, email: 'digest' },
          document_shared: DEFAULT_CHANNELS.document_shared,
        },
      },
    ]);
  });

  it('offer no choice for account security', async () => {
    await open();
    expect(screen.getByText('Always on')).toBeTruthy();
    expect(screen.queryByRole('checkbox', { name: /Account security/ })).toBeNull();
  });

  it('add and remove digest times without losing focus', async () => {
    await open();
    expect(screen.queryByRole('button', { name: /^Remove/ })).toBeNull();
    await press('Add time');
    await press('Add time');
    await userEvent.click(screen.getAllByRole('button', { name: /^Remove/ })[0] as HTMLElement);
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Add time' }));
    await save();
    expect(sent).toMatchObject([{ digestTimes: ['12:00', '16:00'] }]);
  });

  it('offer at most four digest times', async () => {
    await open();
    for (let count = 1; count < 4; count += 1) await press('Add time');
    expect(screen.getByRole('button', { name: 'Add time' }).getAttribute('aria-disabled')).toBe('true');
    await save();
    expect(sent).toMatchObject([{ digestTimes: ['08:00', '12:00', '16:00', '20:00'] }]);
  });

  it('show a repeated digest time as an error of its field', async () => {
    await open();
    await press('Add time');
    const second = screen.getByRole('combobox', { name: 'Digest time 2' });
    await userEvent.clear(second);
    await userEvent.type(second, '8:00{Enter}');
    await press('Save Notifications');
    expect(await screen.findByText('This time is already in the list')).toBeTruthy();
    expect(sent).toEqual([]);
  });

  it('save quiet hours, which name the time zone', async () => {
    await open();
    expect(screen.getByText(/in your time zone, Europe\/Berlin/)).toBeTruthy();
    await userEvent.click(screen.getByRole('switch', { name: 'Quiet hours' }));
    await save();
    expect(sent).toMatchObject([{ quietHours: { start: '22:00', end: '07:00' } }]);
  });

  it('move focus to the first field after "Discard changes", which removes its own button', async () => {
    await open();
    await userEvent.click(screen.getByRole('switch', { name: 'Quiet hours' }));
    await press('Discard changes');
    expect(document.activeElement).toBe(screen.getByRole('checkbox', { name: 'In Atrium: Mentions' }));
  });
});

describe('pausing notifications', () => {
  it('takes effect immediately, keeps unsaved changes, and can be ended', async () => {
    await open();
    await userEvent.click(screen.getByRole('switch', { name: 'Quiet hours' }));
    await press('Pause');
    await userEvent.click(await screen.findByRole('menuitem', { name: /Until tomorrow/ }));
    expect(await screen.findByText(/Paused until tomorrow/)).toBeTruthy();
    expect(sent).toEqual([{ pausedUntil: expect.any(String) }]);
    await press('Resume');
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Resume' })).toBeNull());
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Pause' }));
    expect(sent.at(1)).toEqual({ pausedUntil: null });
    expect(screen.getByRole<HTMLInputElement>('switch', { name: 'Quiet hours' }).checked).toBe(true);
  });

  it('shows no pause that has ended', async () => {
    stored = { ...stored, pausedUntil: '2026-01-01T00:00:00.000Z' };
    await open();
    expect(screen.queryByRole('button', { name: 'Resume' })).toBeNull();
    expect(screen.getByRole('button', { name: 'Pause' })).toBeTruthy();
  });
});
