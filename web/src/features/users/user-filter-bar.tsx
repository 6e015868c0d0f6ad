import { styled } from 'styled-components';
import { useAllDepartments } from '#entities/department/use-departments.ts';
import { STATUS_OPTIONS } from '#entities/user/account-status.tsx';
import { ROLE_OPTIONS } from '#entities/user/roles.ts';
import { NO_DEPARTMENT } from '#entities/user/use-users.ts';
import { useCurrentUser } from '#lib/session/session.ts';
import { MobileOnly } from '#ui/collapsible.tsx';
import { SearchField } from '#ui/fields/search-field.tsx';
import { Select } from '#ui/fields/select.tsx';
import { FilterBar } from '#ui/filter-bar.tsx';
import { theme } from '#ui/theme.ts';

export type UserFilters = {
  search: string;
  role: string;
  status: string;
  department: string;
  sort: string;
  order: string;
  page: string;
};

export const NO_FILTERS: UserFilters = {
  search: '',
  role: '',
  status: '',
  department: '',
  sort: 'name',
  order: 'asc',
  page: '1',
};

export const PAGE_SIZE = 10;

type Props = {
  filters: UserFilters;
  onChange: (changes: Partial<UserFilters>, kind: 'push' | 'replace') => void;
};

const ALL = 'all';
const ORDERS = [
  { value: 'name', label: 'By name' },
  { value: 'role', label: 'By role' },
  { value: 'department', label: 'By department' },
  { value: 'status', label: 'By status' },
  { value: 'lastLogin', label: 'By last sign-in' },
];
const all = (label: string) => ({ value: ALL, label });

export function UserFilterBar({ filters, onChange }: Props) {
  const isAdmin = useCurrentUser().role === 'admin';
  const departments = useAllDepartments();
  const names = (departments.data?.data ?? []).map(({ _id, name }) => ({ value: _id, label: name }));
  const choose = (field: 'role' | 'status' | 'department') => (value: string) =>
    onChange({ [field]: value === ALL ? '' : value, page: '1' }, 'push');
  return (
    <Bar>
      <FilterBar
        activeCount={[filters.role, filters.status, filters.department].filter((value) => value !== '').length}
        search={
          <SearchField
            label="Search by name or email"
            value={filters.search}
            onChange={(search) => onChange({ search, page: '1' }, 'replace')}
          />
        }
      >
        <Select
          label="Role"
          isLabelHidden
          options={[all('All Roles'), ...ROLE_OPTIONS]}
          value={filters.role || ALL}
          onChange={choose('role')}
        />
        <Select
          label="Status"
          isLabelHidden
          options={[all('All Status'), ...STATUS_OPTIONS]}
          value={filters.status || ALL}
          onChange={choose('status')}
        />
        <Select
          label="Department"
          isLabelHidden
          options={[all('All Departments'), { value: NO_DEPARTMENT, label: 'No department' }, ...names]}
          value={filters.department || ALL}
          onChange={choose('department')}
        />
        {/* On phones the table has no sortable headings. */}
        <MobileOnly>
          <Select
            label="Sort by"
            isLabelHidden
            options={isAdmin ? ORDERS : ORDERS.filter(({ value }) => value !== 'lastLogin')}
            value={filters.sort}
            onChange={(sort) => onChange({ sort, order: 'asc', page: '1' }, 'push')}
          />
        </MobileOnly>
      </FilterBar>
    </Bar>
  );
}

const Bar = styled.div`
  padding: ${theme.space[3]} ${theme.gutter.card};
  border-bottom: 1px solid ${theme.color.line};
`;
