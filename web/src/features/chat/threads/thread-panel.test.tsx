import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { startApi } from '#test/api-server.ts';
import { buildUser } from '#test/build-user.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { withQueryCache } from '#test/with-query-cache.tsx';
import { ThreadPanel } from './thread-panel.tsx';

let stop: () => Promise<void> = async () => undefined;

beforeEach(async () => {
  act(() => signInAs(buildUser('a')));
  ({ stop } = await startApi(() => ({ status: 404, body: { code: 'not_found', message: 'Message not found' } })));
});

afterEach(async () => {
  cleanup();
  await stop();
});

it('Escape closes a thread, except where it ends a composition', () => {
  let closeCount = 0;
  render(
    <MemoryRouter>
      <ThreadPanel
        rootId={'1'.repeat(24)}
        conversations={[]}
        openConversation={null}
        onJump={() => undefined}
        onClose={() => {
          closeCount += 1;
        }}
      />
    </MemoryRouter>,
    withQueryCache,
  );
  const panel = screen.getByRole('region', { name: 'Thread' });
  fireEvent.keyDown(panel, { key: 'Escape', isComposing: true });
  expect(closeCount).toBe(0);
  fireEvent.keyDown(panel, { key: 'Escape' });
  expect(closeCount).toBe(1);
});
