export type UserFilters = {
  search: string;
  role: string;
  status: string;
  department: string;
  /** The column that the list is sorted by, and in which direction. */
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

/** As many stand on a page. */
export const PAGE_SIZE = 10;
