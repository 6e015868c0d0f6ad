export type UserFilters = {
  search: string;
  role: string;
  status: string;
  department: string;
  /** The sort column and direction. */
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
