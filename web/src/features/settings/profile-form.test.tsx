import '../../../test/browser-gaps.ts';
import '../../../test/patience.ts';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { aPerson } from '../../../test/a-person.ts';
import { signInAs } from '../../../test/sign-in-as.ts';
import { ProfileForm } from './profile-form.tsx';

const ada = aPerson('a', { bio: 'as it was' });

beforeEach(() => {
  localStorage.clear();
  act(() => signInAs(ada));
});

afterEach(() => {
  cleanup();
  localStorage.clear();
});

const bio = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: /Bio/ });

/** Words that a page left behind which went without being left. */
async function typeAndReload(): Promise<void> {
  render(<ProfileForm />);
  await userEvent.type(bio(), ', and mine');
  const disk = { ...localStorage };
  cleanup();
  for (const [key, value] of Object.entries(disk)) localStorage.setItem(key, value);
}

it('lets restored words go over no newer save unasked', async () => {
  await typeAndReload();
  act(() => signInAs({ ...ada, bio: 'theirs', version: 2 }));
  render(<ProfileForm />);
  const notice = await screen.findByRole('alert');
  expect(notice.textContent).toContain('theirs');
  expect(notice.textContent).toContain('as it was, and mine');
  expect(screen.getByRole('button', { name: 'Save Changes' }).getAttribute('aria-disabled')).toBe('true');
  await userEvent.click(screen.getByRole('button', { name: 'Take theirs' }));
  await waitFor(() => expect(bio().value).toBe('theirs'));
  expect(screen.queryByText(/has been restored/)).toBeNull();
});

it('asks nothing where a newer version has the same words, such as after signing in', async () => {
  await typeAndReload();
  act(() => signInAs({ ...ada, version: 2 }));
  render(<ProfileForm />);
  expect(await screen.findByText(/has been restored/)).toBeTruthy();
  expect(bio().value).toBe('as it was, and mine');
  expect(screen.queryByRole('alert')).toBeNull();
});

it.each(['Discard changes', 'Discard it'])(
  'goes on at its first field after "%s", which goes with it',
  async (choice) => {
    await typeAndReload();
    render(<ProfileForm />);
    await userEvent.click(await screen.findByRole('button', { name: choice }));
    expect(bio().value).toBe('as it was');
    expect(screen.queryByRole('button', { name: /^Discard/ })).toBeNull();
    expect(document.activeElement).toBe(screen.getByLabelText('First name'));
  },
);
