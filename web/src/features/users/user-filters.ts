export type UserFilters = { search: string; role: string; status: string; department: string; page: string };

/** As many stand on a page. */
export const PAGE_SIZE = 10;
