import type { UnfinishedUpload } from '@atrium/proto-events/http/document-uploads';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { startApi } from '#test/api-server.ts';
import { buildUser } from '#test/build-user.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { withQueryCache } from '#test/with-query-cache.tsx';
import { UnfinishedUploads } from './unfinished-uploads.tsx';
import { lockUpload } from './upload-locks.ts';

const MINUTE_MS = 60_000;
let stop: () => Promise<void>;
let uploads: UnfinishedUpload[];

beforeEach(async () => {
  localStorage.clear();
  ({ stop } = await startApi(({ method, path }) => {
    if (method === 'GET') return { status: 200, body: { data: uploads } };
    uploads = uploads.filter(({ _id }) => !path.endsWith(_id));
    return { status: 204 };
  }));
  act(() => signInAs(buildUser('a')));
});
afterEach(async () => {
  cleanup();
  localStorage.clear();
  await stop();
});

const buildUpload = (changes: { document?: string | null; agoMs?: number } = {}): UnfinishedUpload => ({
  _id: 'e'.repeat(24),
  fileName: 'film.bin',
  size: 2_000_000,
  document: changes.document ?? null,
  touchedAt: new Date(Date.now() - (changes.agoMs ?? 0)).toISOString(),
});

const show = (upload: UnfinishedUpload) => {
  uploads = [upload];
  render(<UnfinishedUploads document={null} onFile={() => undefined} />, withQueryCache);
};
const discard = async () => userEvent.click(await screen.findByRole('button', { name: 'Discard film.bin' }));
const waitUntilDiscarded = () => waitFor(() => expect(uploads).toEqual([]));

describe('unfinished uploads', () => {
  it('show an upload as running elsewhere while parts arrive, and ask for confirmation before discarding it', async () => {
    show(buildUpload({ agoMs: MINUTE_MS }));
    await screen.findByText(/Uploading elsewhere/);
    expect(screen.queryByRole('button', { name: 'Choose film.bin again' })).toBeNull();
    await discard();
    await screen.findByText(/is being uploaded elsewhere/);
    expect(uploads).toHaveLength(1);
    await userEvent.click(screen.getByRole('button', { name: 'Discard Upload' }));
    await waitUntilDiscarded();
  });

  it('can be resumed after a pause without parts, or if this browser started them', async () => {
    show(buildUpload({ agoMs: 3 * MINUTE_MS }));
    await screen.findByRole('button', { name: 'Choose film.bin again' });
    cleanup();
    // A closed tab holds no lock.
    lockUpload(buildUpload()._id)();
    show(buildUpload());
    await screen.findByRole('button', { name: 'Choose film.bin again' });
    await discard();
    await waitUntilDiscarded();
  });

  it('can be discarded in the hub if they are new versions, whose documents may no longer exist', async () => {
    show(buildUpload({ document: 'd'.repeat(24), agoMs: 3 * MINUTE_MS }));
    await screen.findByText(/An unfinished new version/);
    expect(screen.queryByRole('button', { name: 'Choose film.bin again' })).toBeNull();
    await discard();
    await waitUntilDiscarded();
  });
});
