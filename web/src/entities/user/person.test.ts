import { describe, expect, it } from '@jest/globals';
import { displayName, initials, roleAndDepartment, roleLabel } from './person.ts';

const id = '65f0c0ffee0000000000000a';

describe('a person on the screen', () => {
  it('is named by first and last name, else by e-mail, else as User', () => {
    expect(displayName({ _id: id, firstName: 'Maya', lastName: 'Okafor', email: 'm@example.com' })).toBe('Maya Okafor');
    expect(displayName({ _id: id, firstName: '', lastName: '', email: 'm@example.com' })).toBe('m@example.com');
    expect(displayName(null)).toBe('User');
  });

  it('has the first letters of both names as initials, else U', () => {
    expect(initials({ _id: id, firstName: 'émile', lastName: 'zola' })).toBe('ÉZ');
    expect(initials({ _id: id, firstName: '', lastName: '' })).toBe('U');
  });

  it('has a role in words', () => {
    expect(roleLabel('project_manager')).toBe('Project Manager');
    expect(roleLabel('admin')).toBe('Admin');
    expect(roleLabel(undefined)).toBe('Member');
  });

  it('has a role and a department in one line, as far as they are known', () => {
    expect(roleAndDepartment({ role: 'admin', department: { name: 'Design' } })).toBe('Admin · Design');
    expect(roleAndDepartment({ role: 'admin', department: null })).toBe('Admin');
    expect(roleAndDepartment({})).toBe('');
  });
});
