import { describe, expect, it } from '@jest/globals';
import { displayName, initials, roleAndDepartment, roleLabel } from './user-labels.ts';

const id = '65f0c0ffee0000000000000a';

describe('user labels', () => {
  it('names a user by first and last name, otherwise by email, otherwise as User', () => {
    expect(displayName({ _id: id, firstName: 'Maya', lastName: 'Okafor', email: 'm@example.com' })).toBe('Maya Okafor');
    expect(displayName({ _id: id, firstName: '', lastName: '', email: 'm@example.com' })).toBe('m@example.com');
    expect(displayName(null)).toBe('User');
  });

  it('shows the first letters of both names as initials, otherwise U', () => {
    expect(initials({ _id: id, firstName: 'émile', lastName: 'zola' })).toBe('ÉZ');
    expect(initials({ _id: id, firstName: '', lastName: '' })).toBe('U');
  });

  it('labels the role', () => {
    expect(roleLabel('project_manager')).toBe('Project Manager');
    expect(roleLabel('admin')).toBe('Admin');
    expect(roleLabel(undefined)).toBe('Member');
  });

  it('joins role and department if they are known', () => {
    expect(roleAndDepartment({ role: 'admin', department: { name: 'Design' } })).toBe('Admin · Design');
    expect(roleAndDepartment({ role: 'admin', department: null })).toBe('Admin');
    expect(roleAndDepartment({})).toBe('');
  });
});
