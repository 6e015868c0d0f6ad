import { describe, expect, it } from '@jest/globals';
import { checkRows, isReady } from './check-rows.ts';
import { createRow } from './invite-row.ts';
import { listedPerson } from './parse-address-list.ts';

const ENGINEERING = { _id: 'e'.repeat(24), name: 'Engineering', isActive: true };
const CLOSED = { _id: 'c'.repeat(24), name: 'Closed', isActive: false };
const NONE = { role: 'member', department: '' };

const check = (
  people: Parameters<typeof listedPerson>[0][],
  defaults = { role: 'member', department: ENGINEERING._id },
) =>
  checkRows(
    people.map((person) => createRow(listedPerson({ firstName: 'Lena', lastName: 'Brandt', ...person }))),
    {
      departments: [ENGINEERING, CLOSED],
      defaults,
      knownEmails: [
        { email: 'taken@example.org', state: 'active' },
        { email: 'invited@example.org', state: 'invited' },
      ],
    },
  );

describe('checkRows', () => {
  it('applies the defaults to a row without a role or department', () => {
    const [plain, explicit] = check([
      { email: 'a@example.org' },
      { email: 'b@example.org', role: 'PROJECT-manager', department: ' engineering ' },
    ]);
    expect(plain?.body).toMatchObject({ role: 'member', department: ENGINEERING._id });
    expect(explicit?.body).toMatchObject({ role: 'project_manager', department: ENGINEERING._id });
  });

  it.each([
    [{ email: '' }, { email: 'Email is required' }],
    [{ email: 'nobody' }, { email: 'Please enter a valid email address' }],
    [{ email: 'Taken@example.org' }, { email: 'This person already has an account' }],
    [{ email: 'invited@example.org' }, { email: 'This person is already invited' }],
    [{ email: 'a@example.org', firstName: ' ' }, { firstName: 'First name is required' }],
    [{ email: 'a@example.org', lastName: '' }, { lastName: 'Last name is required' }],
    [{ email: 'a@example.org', role: 'Admin' }, { role: 'Unknown role “Admin”' }],
    [{ email: 'a@example.org', department: 'Eng' }, { department: 'Unknown department “Eng”' }],
    [{ email: 'a@example.org', department: 'Closed' }, { department: 'Unknown department “Closed”' }],
  ])('reports for %j the problem %j', (person, problems) => {
    const [row] = check([person]);
    expect(row?.problems).toEqual(problems);
    expect(row && isReady(row)).toBe(false);
  });

  it('requires a department if there is no default', () => {
    expect(check([{ email: 'a@example.org' }], NONE)[0]?.problems).toEqual({
      department: 'Please select a department',
    });
  });

  it('reports an address that is repeated in a different form', () => {
    const problems = check([{ email: 'jürgen@bücher.example' }, { email: 'JU\u0308RGEN@xn--bcher-kva.example' }]);
    expect(problems.map((row) => row.problems)).toEqual([{}, { email: 'This address is in the list twice' }]);
  });
});
