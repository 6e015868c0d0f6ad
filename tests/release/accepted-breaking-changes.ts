/**
 * Breaks that are meant, such as the end of an event that no stream holds any more: the sentence up to what to do instead, and why
 * nobody is harmed. They are forgotten at the next release.
 */
export const ACCEPTED: Readonly<Record<string, string>> = {};
