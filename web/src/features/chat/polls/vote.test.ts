import type { Poll } from '@atrium/proto-events/http/chat/message-parts';
import { expect, it } from '@jest/globals';
import { pollSummary } from './poll-labels.ts';
import { toggledVotes } from './vote.ts';

const poll = (mine: string[], settings: Partial<Poll> = {}): Poll => ({
  question: 'Where?',
  options: ['1', '2', '3'].map((id) => ({ id, text: id, count: 0, mine: mine.includes(id), users: [] })),
  multiple: false,
  anonymous: false,
  voterCount: 0,
  votedAt: null,
  closedAt: null,
  ...settings,
});

it('a press on an option replaces the vote, or withdraws it', () => {
  expect(toggledVotes(poll([]), '2')).toEqual(['2']);
  expect(toggledVotes(poll(['1']), '2')).toEqual(['2']);
  expect(toggledVotes(poll(['2']), '2')).toEqual([]);
});

it('a press on an option of a poll for several adds it, or removes it', () => {
  expect(toggledVotes(poll(['1'], { multiple: true }), '2')).toEqual(['1', '2']);
  expect(toggledVotes(poll(['1', '2'], { multiple: true }), '1')).toEqual(['2']);
});

it('the summary says how many people have voted, and how the poll works', () => {
  expect(pollSummary(poll([]))).toBe('No votes yet');
  expect(pollSummary(poll([], { voterCount: 1, multiple: true }))).toBe('1 person voted · Several options');
  expect(pollSummary(poll([], { voterCount: 2, anonymous: true, closedAt: '2026-11-20T09:00:00.000Z' }))).toBe(
    '2 people voted · Anonymous · Closed',
  );
});
