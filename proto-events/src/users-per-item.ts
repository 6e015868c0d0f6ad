// Browsers import this module, so it has no schemas.

/** Number of users in each item of a list, unless a query asks for more. Items of events have as many. */
export const USERS_PER_ITEM = 6;
