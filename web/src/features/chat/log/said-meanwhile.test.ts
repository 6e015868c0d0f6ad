import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { waitFor } from '@testing-library/react';
import { aMessage } from '../../../../test/a-message.ts';
import { aPerson } from '../../../../test/a-person.ts';
import { startApi } from '../../../../test/api-server.ts';
import { signInAs } from '../../../../test/sign-in-as.ts';
import { chatParts } from '../chat-parts.ts';
import { catchUpByHints } from '../follow-chat.ts';
import { withReceived } from './message-log.ts';
import { followLog, logOf, showLog } from './message-store.ts';
import { jumpTo, jumpToLatest } from './read-window.ts';

const open = 'c'.repeat(24);
const ends: (() => unknown)[] = [];

beforeEach(() => {
  signInAs(aPerson('z'));
  signInAs(aPerson('a'));
});
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

it('shows what was said while the page to which one jumps was on its way', async () => {
  const asked: string[] = [];
  const held = Promise.withResolvers<void>();
  const page = (hasMore: boolean, ...seqs: number[]) => ({
    status: 200,
    body: { data: seqs.map((seq) => aMessage(seq)), hasMore, revision: 0, total: 900, page: 1, totalPages: 1 },
  });
  const api = await startApi(async ({ path }) => {
    const query = new URL(path, 'http://localhost').searchParams;
    const after = query.get('after');
    if (after === null) {
      const newest = page(true, 899, 900);
      await held.promise;
      return newest;
    }
    asked.push(after);
    return after === '0' ? page(true, 4, 5, 6) : page(false, 901, 902);
  });
  ends.push(api.stop, showLog(open), catchUpByHints(open, chatParts));
  await jumpTo(open, 5);
  expect(logOf(open).hasNewer).toBe(true);
  const arriving = jumpToLatest(open);
  // One of another, and one's own by its answer.
  for (const seq of [901, 902]) followLog(open, (log) => withReceived(log, [aMessage(seq)]));
  held.resolve();
  await arriving;
  await waitFor(() => expect(logOf(open).messages.map(({ seq }) => seq)).toEqual([899, 900, 901, 902]));
  expect(asked).toEqual(['0', '900']);
});
