import { afterEach, expect, it } from '@jest/globals';
import { cleanup, render, screen } from '@testing-library/react';
import { aMessage } from '../../../../test/a-message.ts';
import { LatestMessage } from './latest-message.tsx';
import { toRows } from './message-rows.ts';

afterEach(cleanup);

const me = 'f'.repeat(24);
const latest = (...seqs: number[]) => {
  const messages = seqs.map((seq) => aMessage(seq));
  const rows = toRows({ log: { messages, pending: [], hasNewer: false }, me, readUntil: null });
  return <LatestMessage rows={rows} lastSeq={4} me={me} />;
};
const said = () => screen.getByRole('log').textContent;

it('says what comes, and says nothing again where its reader comes back to the end, nor what stands before it', () => {
  const { rerender } = render(latest(3, 4));
  expect(said()).toBe('');
  rerender(latest(3, 4, 5, 6));
  expect(said()).toContain('message 6');
  rerender(latest(3, 4, 5));
  expect(said()).toBe('');
  rerender(latest());
  rerender(latest(3, 4, 5, 6));
  expect(said()).toBe('');
  rerender(latest(3, 4, 5, 6, 7));
  expect(said()).toContain('message 7');
});
