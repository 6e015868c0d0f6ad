/** The event that a mailing followed from. */
export const causeOf = (mailingId: string) => mailingId.split(':', 1)[0];
