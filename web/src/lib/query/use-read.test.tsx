import type { getProjectStats } from '@atrium/proto-events/http/projects';
import { expect, it } from '@jest/globals';
import { renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { SWRConfig } from 'swr';
import { mockPreload } from '#test/mock-preload.ts';
import { swrConfig } from './swr-config.ts';
import { useRead } from './use-read.ts';

const PATH = '/projects/stats';

const wrapper = ({ children }: { children: ReactNode }) => <SWRConfig value={swrConfig}>{children}</SWRConfig>;

/** Renders a reader with the token `mine` and a preloaded response for `token`. */
async function renderReader(token: string) {
  const answers = { [PATH]: Promise.resolve(new Response('"early"')) };
  const requests = await mockPreload({ token, responses: answers, bodies: { [PATH]: 'early' } });
  const rendered: unknown[] = [];
  renderHook(
    () => {
      rendered.push(useRead<typeof getProjectStats>('GET /projects/stats', {}).data);
    },
    { wrapper },
  );
  return { requests, rendered };
}

it('useRead renders a preloaded response immediately and uses it as its response', async () => {
  const { requests, rendered } = await renderReader('mine');
  await waitFor(() => expect(globalThis.preloadedResponses?.responses).toEqual({}));
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(new Set(rendered)).toEqual(new Set(['early']));
  expect(requests).toEqual([]);
});

it('useRead ignores a preloaded response of another user', async () => {
  const { requests, rendered } = await renderReader('theirs');
  await waitFor(() => expect(rendered.at(-1)).toBe('late'));
  expect(rendered).not.toContain('early');
  expect(requests).toHaveLength(1);
});
