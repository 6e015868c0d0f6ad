import { describe, expect, it } from '@jest/globals';
import { buildUser } from '../../../test/a-person.ts';
import { editUserSchema, valuesOf } from './edit-user-schema.ts';

const design = { _id: '65f0c0ffee0000000000000d', name: 'Design' };

const lena = buildUser('a', {
  firstName: 'Lena',
  lastName: 'Brandt',
  department: design,
  role: 'project_manager',
  status: 'inactive',
  skills: ['research', 'prototypes'],
});

describe('the form that edits a person', () => {
  it('sends skills trimmed, without empty ones and without the same one twice', () => {
    const values = { ...valuesOf(lena), skills: ' research, , prototypes,research ' };
    expect(editUserSchema.parse(values).skills).toEqual(['research', 'prototypes']);
  });

  it('sends no department as none', () => {
    expect(editUserSchema.parse({ ...valuesOf(lena), department: '' }).department).toBeNull();
  });

  it('asks for both names in one sentence', () => {
    const { error } = editUserSchema.safeParse({ ...valuesOf(lena), firstName: ' ', lastName: '' });
    expect(error?.issues.map(({ path, message }) => [path[0], message])).toEqual([
      ['firstName', 'First name and last name are required'],
      ['lastName', 'First name and last name are required'],
    ]);
  });
});
