import type { Decision } from '@atrium/proto-events/http/meetings/closing';
import { afterEach, expect, it } from '@jest/globals';
import { cleanup, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { withQueryCache } from '#test/with-query-cache.tsx';
import { DecisionRow } from './decision-row.tsx';

afterEach(cleanup);

const DECISION: Decision = {
  _id: 'd'.repeat(24),
  text: 'Ship the portal',
  assignedTo: { _id: 'a'.repeat(24), firstName: 'Ina', lastName: 'Away' },
  dueDate: null,
  state: 'task',
  isDone: false,
  task: null,
  rejection: null,
  project: 'b'.repeat(24),
  meeting: { _id: 'c'.repeat(24), title: 'Review', startTime: '2026-11-20T09:00:00.000Z' },
  abilities: { settle: true, tryAgain: true },
};

it.each([
  { state: 'rejected', rejection: 'Tasks can be assigned to project members only' },
  // The assignee of a deleted task may have left since.
  { state: 'task-deleted' },
] as const)('a $state decision can be retried with or without its assignee', (fields) => {
  render(
    <MemoryRouter>
      <DecisionRow decision={{ ...DECISION, ...fields }} />
    </MemoryRouter>,
    withQueryCache,
  );
  expect(screen.getAllByRole('button').map((button) => button.getAttribute('aria-label'))).toEqual([
    'Try again: Ship the portal',
    'Try again unassigned: Ship the portal',
    'Mark as done: Ship the portal',
  ]);
});
