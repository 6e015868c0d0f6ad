import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { getDraft } from '#lib/forms/drafts.ts';
import { isNavigationBlocked } from '#lib/forms/unsaved-changes.ts';
import { startApi } from '#test/api-server.ts';
import { buildUser } from '#test/build-user.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { withQueryCache } from '#test/with-query-cache.tsx';
import { CommentComposer } from './task-comments.tsx';

const TASK = 'e'.repeat(24);
let stop: () => Promise<void>;
let status: number;
/** The stored draft, and whether navigation was blocked, when the comment reached the server. */
let requestState: { draft: unknown; isBlocked: boolean } | null;

beforeEach(async () => {
  localStorage.clear();
  status = 201;
  requestState = null;
  ({ stop } = await startApi(() => {
    requestState = { draft: getDraft(`task:${TASK}:comment`), isBlocked: isNavigationBlocked() };
    return { status, body: {} };
  }));
  act(() => signInAs(buildUser('a')));
});

afterEach(async () => {
  cleanup();
  localStorage.clear();
  await stop();
});

const field = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Comment' });

async function comment(text: string): Promise<void> {
  render(<CommentComposer taskId={TASK} />, withQueryCache);
  await userEvent.type(field(), text);
  // The draft was stored, so there is nothing to discard.
  expect(isNavigationBlocked()).toBe(false);
  await userEvent.click(screen.getByRole('button', { name: 'Add Comment' }));
  await waitFor(() => expect(requestState).toEqual({ draft: text, isBlocked: true }));
  await waitFor(() => expect(isNavigationBlocked()).toBe(false));
}

describe('comment composer', () => {
  it('stores the draft until the server has it, and does not block navigation before sending', async () => {
    await comment('By Friday');
    expect(field().value).toBe('');
    expect(getDraft(`task:${TASK}:comment`)).toBeUndefined();
  });

  it('keeps the draft if adding the comment fails', async () => {
    status = 503;
    await comment('By Friday');
    expect(field().value).toBe('By Friday');
  });
});
