/** The storage key of the draft. */
export const BULK_PLACE = 'invitation:list';
