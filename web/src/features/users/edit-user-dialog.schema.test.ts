import { describe, expect, it } from '@jest/globals';
import { buildUser } from '#test/build-user.ts';
import { editUserSchema, valuesOf } from './edit-user-dialog.tsx';

const design = { _id: '65f0c0ffee0000000000000d', name: 'Design' };

const lena = buildUser('a', {
  firstName: 'Lena',
  lastName: 'Brandt',
  department: design,
  role: 'project_manager',
  status: 'inactive',
  skills: ['research', 'prototypes'],
});

describe('edit user form', () => {
  it('sends skills trimmed, without empty or duplicate ones', () => {
    const values = { ...valuesOf(lena), skills: ' research, , prototypes,research ' };
    expect(editUserSchema.parse(values).skills).toEqual(['research', 'prototypes']);
  });

  it('sends an empty department as none', () => {
    expect(editUserSchema.parse({ ...valuesOf(lena), department: '' }).department).toBeNull();
  });

  it('reports missing names in one sentence', () => {
    const { error } = editUserSchema.safeParse({ ...valuesOf(lena), firstName: ' ', lastName: '' });
    expect(error?.issues.map(({ path, message }) => [path[0], message])).toEqual([
      ['firstName', 'First name and last name are required'],
      ['lastName', 'First name and last name are required'],
    ]);
  });
});
