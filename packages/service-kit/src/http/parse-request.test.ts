import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { describeIssue } from './parse-request.ts';

const schema = z.object({
  projectManager: z.string(),
  count: z.number().max(5),
  isOpen: z.boolean(),
  tags: z.array(z.string().max(3)).max(2),
  role: z.enum(['admin', 'member']),
  startTime: z.iso.datetime(),
  link: z.url(),
  code: z.string().regex(/^a$/),
  owner: z.string('Select an owner'),
});
const VALID = {
  projectManager: 'a',
  count: 1,
  isOpen: true,
  tags: [],
  role: 'admin',
  startTime: '2030-01-31T09:00:00Z',
  link: 'https://example.org',
  code: 'a',
  owner: 'a',
};

const messagesFor = (body: unknown) =>
  schema.safeParse(body, { error: describeIssue }).error?.issues.map(({ message }) => message);

describe('describeIssue', () => {
  it.each([
    [{ projectManager: undefined }, 'Project manager is required'],
    [{ projectManager: 5 }, 'Project manager must be text'],
    [{ projectManager: ['a', 'b'] }, 'Project manager must be given only once'],
    [{ count: 6 }, 'Count must be at most 5'],
    [{ count: 'x' }, 'Count must be a number'],
    [{ isOpen: 'x' }, 'Is open must be true or false'],
    [{ tags: ['a', 'b', 'c'] }, 'Tags must have at most 2 items'],
    [{ tags: ['a', 'abcd'] }, 'Tags, item 2, must have at most 3 characters'],
    [{ role: 'boss' }, 'Role must be one of: admin, member'],
    [{ startTime: 'noon' }, 'Start time must be a date and time such as 2030-01-31T09:00:00Z'],
    [{ link: 'x' }, 'Link must be a web address'],
    [{ code: 'b' }, 'Code is not valid'],
    [{ owner: 5 }, 'Select an owner'],
  ])('describes %j as: %s', (invalidFields, sentence) => {
    expect(messagesFor({ ...VALID, ...invalidFields })).toEqual([sentence]);
  });

  it('refers to the request if the body is not an object', () => {
    expect(messagesFor('x')).toEqual(['The request must be an object']);
  });
});
