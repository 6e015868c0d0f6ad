/**
 * Intended breaking changes, such as the removal of an event that no stream contains anymore. Maps the reported text,
 * without its advice, to the reason why no client is affected. Cleared at the next release.
 */
export const ACCEPTED: Readonly<Record<string, string>> = {};
