/** In a separate module, because the dialog reads the key before it loads the list. */
export const BULK_DRAFT_KEY = 'invitation:list';
