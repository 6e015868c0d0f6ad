import '../../../test/retry-timeouts.ts';
import type { getProjectStats } from '@atrium/proto-events/http/projects';
import { expect, it } from '@jest/globals';
import { renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { SWRConfig } from 'swr';
import { mockPreload } from '../../../test/mock-preload.ts';
import { swrConfig } from './swr-config.ts';
import { useRead } from './use-read.ts';

const PATH = '/projects/stats';

const wrapper = ({ children }: { children: ReactNode }) => <SWRConfig value={swrConfig}>{children}</SWRConfig>;

/** What somebody with the token `mine` reads where the answer to `token` has come early. */
async function reading(token: string) {
  const answers = { [PATH]: Promise.resolve(new Response('"early"')) };
  const asked = await mockPreload({ token, answers, bodies: { [PATH]: 'early' } });
  const drawn: unknown[] = [];
  renderHook(
    () => {
      drawn.push(useRead<typeof getProjectStats>('GET /projects/stats', {}).data);
    },
    { wrapper },
  );
  return { asked, drawn };
}

it('is drawn at once with what has come early, which is its answer, too', async () => {
  const { asked, drawn } = await reading('mine');
  await waitFor(() => expect(globalThis.askedEarly?.answers).toEqual({}));
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(new Set(drawn)).toEqual(new Set(['early']));
  expect(asked).toEqual([]);
});

it('shows nobody what has come for somebody else', async () => {
  const { asked, drawn } = await reading('theirs');
  await waitFor(() => expect(drawn.at(-1)).toBe('late'));
  expect(drawn).not.toContain('early');
  expect(asked).toHaveLength(1);
});
