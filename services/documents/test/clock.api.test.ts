import type { Document } from '@atrium/proto-events/http/documents';
import { buildUser } from '@atrium/test-kit/build-user';
import { shiftedClock } from '@atrium/test-kit/system/shift-clock';
import { waitFor } from '@atrium/test-kit/wait-for';
import { expect, it } from '@jest/globals';
import { startProcess } from './start-process.ts';

it.each([
  ['behind', -600_000],
  ['ahead', 600_000],
])('accepts uploads and returns valid links while the store’s clock is ten minutes %s', async (_direction, ms) => {
  const uploader = buildUser();
  const pod = await startProcess([uploader], shiftedClock(ms, {}));
  try {
    const token = await pod.tokens.sign(uploader);
    const headers = { authorization: `Bearer ${token}` };
    const form = new FormData();
    form.append('file', new Blob(['in time']), 'notes.txt');
    const uploaded = await fetch(`${pod.url}/api/documents/upload`, { method: 'POST', headers, body: form });
    expect(uploaded.status).toBe(201);
    const { _id } = (await uploaded.json()) as Document;
    // The first links may be signed before the store's clock is known.
    await waitFor(
      async () => {
        const response = await fetch(`${pod.url}/api/documents/${_id}`, { headers });
        const { downloadUrl } = (await response.json()) as Document;
        return downloadUrl !== undefined && (await (await fetch(downloadUrl)).text()) === 'in time';
      },
      { description: 'a valid link' },
    );
    const { parts } = (await (await fetch(`${pod.url}/readyz`)).json()) as { parts: Record<string, string> };
    expect(parts.objects).toBe('ok');
  } finally {
    await pod.end('SIGTERM');
  }
});
