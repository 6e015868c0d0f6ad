import { afterEach, describe, expect, it } from '@jest/globals';
import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { UserRow, UserRows } from './user-rows.tsx';

afterEach(cleanup);

const ANNA = { _id: 'a', firstName: 'Anna', lastName: 'Berg' };
const BEN = { _id: 'b', firstName: 'Ben', lastName: 'Cole' };

function Crew() {
  const [users, setUsers] = useState([ANNA, BEN]);
  const remove = (id: string) => setUsers((previous) => previous.filter(({ _id }) => _id !== id));
  return (
    <UserRows label="Crew">
      {users.map((user) => (
        <UserRow
          key={user._id}
          user={user}
          notes={[user === ANNA && 'Captain', 'Sails']}
          onRemove={user === ANNA ? undefined : () => remove(user._id)}
        />
      ))}
    </UserRows>
  );
}

describe('UserRows', () => {
  it("shows each person's notes in one line", () => {
    render(<Crew />);
    const [anna, ben] = screen.getAllByRole('listitem');
    expect(anna?.textContent).toContain('Captain · Sails');
    expect(ben?.textContent).not.toContain('·');
  });

  it('offers to remove only removable people, and moves focus to the list', async () => {
    render(<Crew />);
    expect(screen.getAllByRole('button')).toHaveLength(1);
    await userEvent.click(screen.getByRole('button', { name: 'Remove Ben Cole' }));
    expect(screen.getAllByRole('listitem')).toHaveLength(1);
    expect(document.activeElement).toBe(screen.getByRole('list', { name: 'Crew' }));
  });
});
