import type { FormEvent } from 'react';
import { styled } from 'styled-components';
import { INVITED_ROLE_OPTIONS } from '#entities/user/roles.ts';
import { Button } from '#ui/button.tsx';
import { Select } from '#ui/fields/select.tsx';
import { TextField } from '#ui/fields/text-field.tsx';
import { Inline } from '#ui/layout/primitives.ts';
import { FieldRow } from '#ui/overlays/dialog-parts.ts';
import { theme } from '#ui/theme.ts';
import type { CheckedRow } from './check-rows.ts';
import { departmentOptions, type KnownDepartment, type ListedPerson } from './invite-row.ts';

type Props = {
  checked: CheckedRow;
  departments: readonly KnownDepartment[];
  affectedRows: { role: number; department: number };
  onEdit: (field: keyof ListedPerson, value: string) => void;
  onDone: () => void;
};

const TEXT_FIELDS = ['email', 'firstName', 'lastName'] as const;

export function RowFields({ checked, departments, affectedRows, onEdit, onDone }: Props) {
  const { row, role, department, problems } = checked;
  const focusedField = TEXT_FIELDS.find((name) => problems[name]) ?? 'email';
  const field = (name: (typeof TEXT_FIELDS)[number]) => ({
    value: row[name],
    onChange: (value: string) => onEdit(name, value),
    error: problems[name] ?? (name === 'email' ? row.failure?.message : undefined),
    autoComplete: 'off',
    autoFocus: name === focusedField,
    isRequired: true,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onDone();
  };
  return (
    <Form onSubmit={submit} noValidate>
      <TextField {...field('email')} label="Email" type="email" />
      <FieldRow>
        <TextField {...field('firstName')} label="First name" />
        <TextField {...field('lastName')} label="Last name" />
      </FieldRow>
      <FieldRow>
        <Select<string>
          label="Role"
          value={role ?? ''}
          onChange={(value) => onEdit('role', value)}
          options={INVITED_ROLE_OPTIONS}
          error={withCount(problems.role, affectedRows.role)}
          isRequired
        />
        <Select
          label="Department"
          value={department?._id ?? ''}
          onChange={(value) => onEdit('department', value)}
          options={departmentOptions(departments)}
          error={withCount(problems.department, affectedRows.department)}
          isRequired
        />
      </FieldRow>
      <Inline $justify="end">
        <Button type="submit" variant="primary" size="sm">
          Done
        </Button>
      </Inline>
    </Form>
  );
}

const withCount = (problem: string | undefined, count: number): string | undefined =>
  problem !== undefined && count > 1 ? `${problem}. Your choice applies to all ${count} people who have it.` : problem;

const Form = styled.form`
  display: flex;
  flex-direction: column;
  gap: ${theme.space[3]};
  padding: ${theme.space[4]};
  background: ${theme.color.sunken};
`;
