import { afterEach, expect, it } from '@jest/globals';
import { cleanup, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { UsersNow } from './users-now.tsx';

afterEach(cleanup);

function renderLinks(counts: { active: number; invited: number; inactive: number }) {
  render(
    <MemoryRouter>
      <UsersNow counts={counts} />
    </MemoryRouter>,
  );
  return screen.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')]);
}

it('links each number of people to a list of the same length', () => {
  expect(renderLinks({ active: 24, invited: 2, inactive: 1 })).toEqual([
    ['24 active', '/user-management?status=active'],
    ['2 invited', '/user-management?tab=invitations'],
  ]);
});

it('links inactive people only if nobody is invited, because their list includes those', () => {
  expect(renderLinks({ active: 24, invited: 0, inactive: 1 })).toEqual([
    ['24 active', '/user-management?status=active'],
    ['1 inactive', '/user-management?status=inactive'],
  ]);
});
