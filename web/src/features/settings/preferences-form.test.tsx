import { DEFAULT_PREFERENCES } from '@atrium/proto-events/preferences';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { startApi } from '#test/api-server.ts';
import { buildUser } from '#test/build-user.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { withQueryCache } from '#test/with-query-cache.tsx';
import { PreferencesForm } from './preferences-form.tsx';

let stop: () => Promise<void>;

beforeEach(async () => {
  localStorage.clear();
  ({ stop } = await startApi(() => ({ status: 200, body: { ...DEFAULT_PREFERENCES, version: 1 } })));
  act(() => signInAs(buildUser('a')));
});

afterEach(async () => {
  cleanup();
  localStorage.clear();
  await stop();
});

it('preferences form moves focus to the first field after "Discard changes", which removes its own button', async () => {
  render(<PreferencesForm />, withQueryCache);
  const sunday = await screen.findByRole('checkbox', { name: 'Sunday' });
  await userEvent.click(sunday);
  await userEvent.click(screen.getByRole('button', { name: 'Discard changes' }));
  expect(screen.queryByRole('button', { name: 'Discard changes' })).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole('button', { name: /Remind me of meetings/ }));
});
