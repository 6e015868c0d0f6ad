import { afterEach, expect, it } from '@jest/globals';
import { act, cleanup, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { buildMessage } from '#test/build-message.ts';
import { buildUser } from '#test/build-user.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { ReactionsDialog } from './reactions-dialog.tsx';

afterEach(cleanup);

it('the dialog of reactions names who reacted', () => {
  const me = buildUser('a');
  act(() => signInAs(me));
  const ben = buildUser('b', { firstName: 'Ben', lastName: 'Lee' });
  const reactions = [
    { emoji: '👍', count: 2, mine: true, users: [me, ben] },
    { emoji: '🎉', count: 1, mine: false, users: [ben] },
  ];
  render(<ReactionsDialog message={buildMessage(1, { reactions })} onClose={() => undefined} />, {
    wrapper: MemoryRouter,
  });
  const items = screen.getAllByRole('listitem').map(({ textContent }) => textContent);
  expect(items).toEqual([expect.stringMatching(/You.*Ben Lee/), expect.stringMatching(/^🎉Ben Lee$/)]);
});
