import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { startTransition, useState } from 'react';
import { useForm } from 'react-hook-form';
import { getDraft } from '#lib/forms/drafts.ts';
import { useStoredDraft } from '#lib/forms/use-stored-draft.ts';
import { startApi } from '#test/api-server.ts';
import { buildUser } from '#test/build-user.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { ErrorBoundary } from './error-boundary.tsx';

type Report = { path: string; body: unknown };

const reports: Report[] = [];
let stop: () => Promise<void>;

beforeEach(async () => {
  // React logs the error, which this test expects.
  jest.spyOn(console, 'error').mockReturnValue(undefined);
  ({ stop } = await startApi(({ path, body }) => {
    reports.push({ path, body });
    return { status: 204 };
  }));
});

afterEach(async () => {
  cleanup();
  jest.restoreAllMocks();
  await stop();
});

function Faulty(): never {
  throw new Error('The tiles are out of order');
}

describe('a screen that fails to render', () => {
  it('is replaced by an error screen with two ways to continue, and the error is reported', async () => {
    render(
      <ErrorBoundary>
        <Faulty />
      </ErrorBoundary>,
    );
    expect(screen.getByRole('heading', { name: 'Something went wrong' })).toBeTruthy();
    const explanation = "We're sorry, but something unexpected happened. Our team has been notified.";
    expect(screen.getByText(explanation)).toBeTruthy();
    expect(screen.getAllByRole('button').map((button) => button.textContent)).toEqual([
      'Return to Dashboard',
      'Refresh Page',
    ]);
    await waitFor(() => expect(reports.length).toBeGreaterThan(0));
    expect(reports[0]).toMatchObject({
      path: '/api/client-errors',
      body: { message: 'The tiles are out of order', path: '/' },
    });
  });

  it('keeps its unsaved input as a draft', async () => {
    act(() => signInAs(buildUser('a')));
    render(
      <ErrorBoundary>
        <Typing />
      </ErrorBoundary>,
    );
    await act(() => screen.getByRole('button', { name: 'Type' }).click());
    // Runs outside `act`, which would immediately run what React defers after a commit.
    screen.getByRole('button', { name: 'Fail' }).click();
    await screen.findByRole('heading', { name: 'Something went wrong' });
    expect(getDraft('project:new')).toMatchObject({ typed: { title: 'Relaunch' } });
  });
});

function Typing() {
  const form = useForm({ defaultValues: { title: '' } });
  const [isFaulty, setFaulty] = useState(false);
  useStoredDraft(form, 'project:new');
  return (
    <>
      <button type="button" onClick={() => form.setValue('title', 'Relaunch', { shouldDirty: true })}>
        Type
      </button>
      <button type="button" onClick={() => startTransition(() => setFaulty(true))}>
        Fail
      </button>
      {isFaulty && <Faulty />}
    </>
  );
}
