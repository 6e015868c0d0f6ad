import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { setProfile } from '#lib/session/session.ts';
import { startApi } from '#test/api-server.ts';
import { buildUser } from '#test/build-user.ts';
import { dismissToasts } from '#test/dismiss-toasts.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { withQueryCache } from '#test/with-query-cache.tsx';
import { ProfileForm } from './profile-form.tsx';

const ada = buildUser('a', { bio: 'original bio' });

beforeEach(() => {
  localStorage.clear();
  act(() => signInAs(ada));
});

afterEach(() => {
  cleanup();
  localStorage.clear();
});

const bio = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: /Bio/ });

/** Leaves an unsaved draft behind by reloading. */
async function typeAndReload(): Promise<void> {
  render(<ProfileForm />, withQueryCache);
  await userEvent.type(bio(), ', and mine');
  const disk = { ...localStorage };
  cleanup();
  for (const [key, value] of Object.entries(disk)) localStorage.setItem(key, value);
}

it('profile form restores a draft as a conflict if the profile was saved in the meantime', async () => {
  await typeAndReload();
  act(() => signInAs({ ...ada, bio: 'theirs', version: 2 }));
  render(<ProfileForm />, withQueryCache);
  const notice = await screen.findByRole('alert');
  expect(notice.textContent).toContain('theirs');
  expect(notice.textContent).toContain('original bio, and mine');
  expect(screen.getByRole('button', { name: 'Save Changes' }).getAttribute('aria-disabled')).toBe('true');
  await userEvent.click(screen.getByRole('button', { name: 'Take theirs' }));
  await waitFor(() => expect(bio().value).toBe('theirs'));
  expect(screen.queryByText(/have been restored/)).toBeNull();
});

it('profile form reports no conflict if a newer version has the same values, such as after signing in', async () => {
  await typeAndReload();
  act(() => signInAs({ ...ada, version: 2 }));
  render(<ProfileForm />, withQueryCache);
  expect(await screen.findByText(/have been restored/)).toBeTruthy();
  expect(bio().value).toBe('original bio, and mine');
  expect(screen.queryByRole('alert')).toBeNull();
});

it.each(['Discard changes', 'Discard them'])(
  'profile form moves focus to the first field after "%s", which removes its own button',
  async (choice) => {
    await typeAndReload();
    render(<ProfileForm />, withQueryCache);
    await userEvent.click(await screen.findByRole('button', { name: choice }));
    expect(bio().value).toBe('original bio');
    expect(screen.queryByRole('button', { name: /^Discard/ })).toBeNull();
    expect(document.activeElement).toBe(screen.getByLabelText('First name'));
  },
);

it('profile form saves a different time zone, found by its city', async () => {
  const bodies: unknown[] = [];
  const { stop } = await startApi(({ body }) => {
    bodies.push(body);
    return { status: 200, body: { ...ada, timezone: 'America/New_York', version: 2 } };
  });
  render(<ProfileForm />, withQueryCache);
  const zone = screen.getByRole<HTMLInputElement>('combobox', { name: /Time zone/ });
  expect(zone.value).toBe('Europe/Berlin');
  await userEvent.clear(zone);
  await userEvent.type(zone, 'new york');
  await userEvent.click(await screen.findByRole('option', { name: 'America/New York' }));
  await userEvent.click(screen.getByRole('button', { name: 'Save Changes' }));
  await waitFor(() => expect(bodies).toEqual([{ timezone: 'America/New_York', version: 1 }]));
  await stop();
});

describe('renamed department', () => {
  const withDepartment = (name: string) => ({ ...ada, department: { _id: 'd'.repeat(24), name } });
  const department = () => screen.getByRole('button', { name: /Department/ }).textContent;
  const save = () => screen.getByRole('button', { name: 'Save Changes' });
  let sent: unknown[];
  let stop: () => Promise<void>;

  beforeEach(async () => {
    sent = [];
    act(() => signInAs(withDepartment('Design')));
    ({ stop } = await startApi(({ method, body }) => {
      if (method === 'PATCH') sent.push(body);
      return { status: 200, body: { ...withDepartment('Product Design'), bio: 'mine', version: 2 } };
    }));
  });

  afterEach(async () => {
    dismissToasts();
    await stop();
  });

  it('is not sent with other changes', async () => {
    render(<ProfileForm />, withQueryCache);
    await userEvent.clear(bio());
    await userEvent.type(bio(), 'mine');
    await userEvent.click(save());
    await waitFor(() => expect(sent).toEqual([{ bio: 'mine', version: 1 }]));
    await waitFor(() => expect(department()).toContain('Product Design'));
  });

  it('appears in the form when it is received, and keeps unsaved changes', async () => {
    render(<ProfileForm />, withQueryCache);
    await userEvent.type(bio(), '!');
    act(() => setProfile(withDepartment('Product Design')));
    await waitFor(() => expect(department()).toContain('Product Design'));
    expect(bio().value).toBe('original bio!');
    expect(save().getAttribute('aria-disabled')).toBeNull();
  });
});
