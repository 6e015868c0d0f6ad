/** A failure that a toast has announced. Whatever repeats its reason in place must not be announced again. */
export type AnnouncedFailure = { reason: string; isAnnounced: true };
