/** What the address of Team Chat names: the open conversation by its id, and a message of it by its seq. */
export const CONVERSATION = 'c';
export const MESSAGE = 'm';
/** In place of a conversation: the person to open the direct one with. */
export const PERSON = 'with';
