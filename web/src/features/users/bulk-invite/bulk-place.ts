/** Where the draft of a list of invitations is kept. */
export const BULK_PLACE = 'invitation:list';
