/** A failure that a toast has announced; other places that show its reason must not announce it again. */
export type AnnouncedFailure = { reason: string; isAnnounced: true };
