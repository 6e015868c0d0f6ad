import { ComboBox } from '#ui/fields/combo-box.tsx';
import type { FieldProps } from '#ui/fields/field.tsx';
import { useAllDepartments } from './use-departments.ts';

type Props = Pick<FieldProps<string>, 'value' | 'onChange' | 'error' | 'description'> & {
  excludedIds?: readonly string[];
};

/** The description of a field that adds all members of a department. */
export const DEPARTMENT_MEMBERS = 'Everyone in this department, including future members';

export function DepartmentField({ excludedIds = [], ...field }: Props) {
  const { data, error, isLoading } = useAllDepartments();
  const selectable = (data?.data ?? []).filter(({ _id, isActive }) => isActive && !excludedIds.includes(_id));
  return (
    <ComboBox
      {...field}
      label="Department (optional)"
      placeholder="Type the name of a department"
      options={selectable.map(({ _id, name }) => ({ value: _id, label: name }))}
      isSearching={isLoading}
      description={error ? 'The list of departments could not be loaded' : field.description}
    />
  );
}
