/** URL parameters: the id of the open conversation, and the seq of a message in it. */
export const CONVERSATION = 'c';
export const MESSAGE = 'm';
/** Instead of a conversation: the user whose direct conversation to open. */
export const PERSON = 'with';
