import { insertPeople, insertUsers } from '@atrium/proto-events/insert-people';
import { describe, expect, it } from '@jest/globals';

const lena = { _id: 'a'.repeat(24), firstName: 'Lena', lastName: 'Brandt', version: 3 };
const jonas = { _id: 'b'.repeat(24), firstName: 'Jonas', lastName: 'Seidel', version: 1 };
const ref = ({ _id }: { _id: string }) => ({ _id });

describe('insertPeople', () => {
  it('replaces references anywhere in the items, and removes the list of people', () => {
    const response = {
      data: [
        { _id: '1'.repeat(24), assignedTo: ref(lena), createdBy: ref(jonas), comments: [{ author: ref(lena) }] },
        { _id: '2'.repeat(24), assignedTo: null, createdBy: ref(lena), comments: [] },
      ],
      people: [lena, jonas],
      total: 2,
    };
    expect(insertPeople(response)).toEqual({
      data: [
        { _id: '1'.repeat(24), assignedTo: lena, createdBy: jonas, comments: [{ author: lena }] },
        { _id: '2'.repeat(24), assignedTo: null, createdBy: lena, comments: [] },
      ],
      total: 2,
    });
  });

  it('keeps the fields that a reference has besides', () => {
    const shares = [{ ...ref(lena), permission: 'view' }];
    expect(insertPeople({ data: shares, people: [lena] })).toEqual({ data: [{ ...lena, permission: 'view' }] });
  });

  it('keeps references to users who are not in the list', () => {
    expect(insertPeople({ data: [ref(jonas)], people: [lena] })).toEqual({ data: [ref(jonas)] });
  });

  it.each([[undefined], [null], ['text'], [[ref(lena)]], [{ ...lena }], [{ people: 4, data: [] }]])(
    'returns a response without a list of people as it is: %j',
    (response) => {
      expect(insertPeople(response)).toBe(response);
    },
  );
});

describe('insertUsers', () => {
  it('prefers the fields of the value, so that a whole user stays whole', () => {
    const users = new Map([[lena._id, { ...lena, lastName: 'Earlier', avatar: '/a.png' }]]);
    expect(insertUsers({ ...lena, bio: 'Hello' }, users)).toEqual({ ...lena, avatar: '/a.png', bio: 'Hello' });
  });
});
